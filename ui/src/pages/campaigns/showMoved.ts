import { type InfiniteData, notifyManager } from "@tanstack/react-query";
import { client, refresh } from "../../data";
import type { CampaignStatsQuery, EnrollmentCountsQuery, EnrollmentFieldsFragment } from "../../gql/generated";
import { moveRows, recount } from "../../logic/movePeople";

type Enrollment = EnrollmentFieldsFragment;
interface Filters {
	campaignId?: string | null;
	status?: string | null;
}

/**
 * Shows people of a campaign as they are after a change, in lists, causes and counts in one drawing, so that they
 * never contradict each other. Then all of it is refetched.
 */
export function showMoved(before: Enrollment[], after: Enrollment[]): void {
	const changed = new Map(after.map((enrollment) => [enrollment.id, enrollment]));
	const had = before.filter(({ id }) => changed.has(id));
	const movesIn = (campaignId: string | null | undefined) =>
		had
			.filter((enrollment) => enrollment.campaignId === campaignId)
			.map(({ id, status }): [typeof status, typeof status] => [status, changed.get(id)?.status ?? status]);
	notifyManager.batch(() => {
		for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["pages", "Enrollments"] })) {
			const old = state.data as InfiniteData<{ nodes: Enrollment[] }> | undefined;
			const { status } = JSON.parse(String(queryKey[2])) as Filters;
			if (old)
				client.setQueryData(queryKey, {
					...old,
					pages: old.pages.map((page) => ({ ...page, nodes: moveRows(page.nodes, changed, status) })),
				});
		}
		for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["all", "Enrollments"] })) {
			const old = state.data as Enrollment[] | undefined;
			if (old) client.setQueryData(queryKey, moveRows(old, changed, (queryKey[2] as Filters).status));
		}
		for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["one", "CampaignStats"] })) {
			const stats = (state.data as CampaignStatsQuery | undefined)?.campaignStats;
			const moves = movesIn((queryKey[2] as { id: string }).id);
			if (!stats || moves.length === 0) continue;
			const statuses = recount(stats.statuses, moves);
			const of = (wanted: string) => statuses.find(({ status }) => status === wanted)?.prospects ?? 0;
			client.setQueryData(queryKey, { campaignStats: { ...stats, statuses, active: of("active"), held: of("held") } });
		}
		for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["one", "EnrollmentCounts"] })) {
			const old = state.data as EnrollmentCountsQuery | undefined;
			const moves = movesIn((queryKey[2] as Filters).campaignId);
			if (old) client.setQueryData(queryKey, { enrollmentCounts: recount(old.enrollmentCounts, moves) });
		}
	});
	void refresh();
}
