import type { OverviewQuery } from "../gql/generated";

export type DayCounts = OverviewQuery["overview"]["days"][number];

/** What is counted on each day. */
export const series = [
	{ key: "sent", label: "Sent" },
	{ key: "replied", label: "Replies" },
	{ key: "positive", label: "Positive" },
	{ key: "bounced", label: "Bounces" },
	{ key: "opens", label: "Opens (upper bound)" },
] as const;
