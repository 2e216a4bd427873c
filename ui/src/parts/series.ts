import type { OverviewQuery } from "../gql/generated";

export type DayCounts = OverviewQuery["overview"]["days"][number];

/** The lines of the chart, each with the token of its colour. */
export const series = [
	{ key: "sent", label: "Sent", color: "--n6" },
	{ key: "replied", label: "Replies", color: "--accent" },
	{ key: "positive", label: "Positive", color: "--good" },
	{ key: "bounced", label: "Bounces", color: "--bad" },
	{ key: "opens", label: "Opens (upper bound)", color: "--warn", dash: [2, 4] },
] as const;
