interface Prospect {
	id: string;
	email: string;
}

/** What was read of deliveries before: a row of a list shows the prospect in more than one cell. */
const read = new WeakMap<object, Prospect | null>();

/** The prospect that the body of a delivery names; null for a test event. */
export function prospectOf(delivery: { body: string }): Prospect | null {
	const had = read.get(delivery);
	if (had !== undefined) return had;
	const { prospect_id: id, prospect_email: email } = JSON.parse(delivery.body) as Record<
		string,
		string | null | undefined
	>;
	const prospect = id ? { id, email: email ?? "Deleted prospect" } : null;
	read.set(delivery, prospect);
	return prospect;
}
