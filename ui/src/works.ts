// The long pieces of work of this application, each at most once at a time.
import { request } from "./api";
import { refresh } from "./data";
import {
	BulkEnrollDocument,
	BulkProspectsDocument,
	BulkSuppressionsDocument,
	RedeliverDocument,
} from "./gql/generated";
import { Enroller } from "./logic/enroller";
import { Importer } from "./logic/importer";
import { Suppressor } from "./logic/suppressor";
import { type Verdict, Work, works } from "./logic/work";

export const importer = new Importer(
	async (prospects, onExisting, dryRun) =>
		(await request(BulkProspectsDocument, { input: { prospects, onExisting }, dryRun })).bulkProspects.results,
);
export const enroller = new Enroller(
	async (campaignId, prospectIds) =>
		(await request(BulkEnrollDocument, { input: { campaignId, prospectIds } })).bulkEnroll.results,
);
export const suppressor = new Suppressor(
	async (suppressions) => (await request(BulkSuppressionsDocument, { input: { suppressions } })).bulkSuppressions,
);
export const redeliverer = new Work<string, "queued">({
	href: "/settings/integrations",
	unit: "delivery",
	chunk: 1,
	name: (id) => ({ what: id }),
});
export const redeliver = async ([id]: string[]): Promise<Verdict<"queued">[]> => {
	if (id) await request(RedeliverDocument, { id });
	return [{ outcome: "queued" }];
};

// Work that has ended has changed the data on the screen.
for (const work of [importer, enroller, suppressor, redeliverer]) {
	let before = work.read().phase;
	works.watch(() => {
		const { phase } = work.read();
		if (phase === "done" && before !== "done") void refresh();
		before = phase;
	});
}
