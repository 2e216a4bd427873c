/** The prospect that the body of a delivery names; null for a test event. */
export function prospectOf(body: string): { id: string; email: string } | null {
	const { prospect_id: id, prospect_email: email } = JSON.parse(body) as Record<string, string | null | undefined>;
	return id ? { id, email: email ?? "Deleted prospect" } : null;
}
