/** What a campaign has counted, each person once; opens count how often the pixel was fetched. */
export interface Counts {
	prospects: number;
	clicked: number;
	replied: number;
	positive: number;
	opens: number;
}

/** A stage of the funnel: n of all people of the stage that it is measured by. */
export interface Stage {
	key: "enrolled" | "contacted" | "opened" | "clicked" | "replied" | "positive";
	label: string;
	n: number;
	/** What n is a part of; nothing for the first stage. */
	whole?: number;
	of?: string;
	/** n is an upper bound. */
	atMost?: boolean;
}

/**
 * The stages from everyone enrolled to positive replies. Rates are of those who were written to. Opens and clicks
 * are left out while they are not tracked and none were counted. A person fetches the pixel at least once to open a
 * mail, so no more people have opened than there were fetches.
 */
export function funnel(c: Counts, contacted: number, tracked: { opens: boolean; clicks: boolean }): Stage[] {
	const ofContacted = { whole: contacted, of: "of those written to" };
	return [
		{ key: "enrolled", label: "People", n: c.prospects },
		{ key: "contacted", label: "Written to", n: contacted, whole: c.prospects, of: "of the people" },
		...(tracked.opens || c.opens > 0
			? [
					{
						key: "opened",
						label: "Opened",
						n: Math.min(c.opens, contacted),
						atMost: c.opens > 0,
						...ofContacted,
					} as const,
				]
			: []),
		...(tracked.clicks || c.clicked > 0
			? [{ key: "clicked", label: "Clicked", n: c.clicked, ...ofContacted } as const]
			: []),
		{ key: "replied", label: "Replied", n: c.replied, ...ofContacted },
		{ key: "positive", label: "Positive", n: c.positive, ...ofContacted },
	];
}

/** How much of its bar a stage fills, in percent. */
export const filled = ({ n, whole = n }: Stage) => (whole === 0 ? 0 : Math.min(100, (n / whole) * 100));
