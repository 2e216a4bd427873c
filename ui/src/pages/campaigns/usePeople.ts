import { useMemo } from "react";
import { useAll } from "../../data";
import { CampaignPeopleDocument, type MailState, type ProspectFieldsFragment } from "../../gql/generated";
import { bodies, type StepDraft } from "../../logic/campaignDraft";
import { isBlank, lacking, valuesOf } from "../../logic/templateVariables";

/** The most people of a campaign whose values are looked at here. */
export const MOST = 1_000;

/** The people of a campaign with all their values. */
export function usePeople(campaignId: string) {
	return useAll(CampaignPeopleDocument, (data) => data.prospects, { campaignId }, { most: MOST });
}

/** Those who are still written to. */
export const reachable = (people: ProspectFieldsFragment[]) =>
	people.filter(({ status }) => status === "new" || status === "in_sequence" || status === "paused");

/** The states in which no campaign may write to a person. */
export const BARRED: MailState[] = ["suppressed", "unsubscribed", "bounced"];

/** The templates of steps that are sent, subject and bodies. */
export const templatesOf = (steps: StepDraft[]) =>
	steps.flatMap((step) => Object.values(bodies(step)).filter((text) => text !== null));

export interface Lack {
	name: string;
	people: ProspectFieldsFragment[];
}

/** Who lacks a value that the steps print without a fallback, variable by variable. */
export function useLacks(people: ProspectFieldsFragment[] | undefined, steps: StepDraft[]): Lack[] {
	return useMemo(() => {
		const templates = templatesOf(steps);
		const by = new Map<string, ProspectFieldsFragment[]>();
		for (const person of reachable(people ?? []))
			for (const name of lacking(templates, valuesOf(person))) by.set(name, [...(by.get(name) ?? []), person]);
		return [...by].map(([name, those]) => ({ name, people: those })).sort((a, b) => b.people.length - a.people.length);
	}, [people, steps]);
}

/** How many of those who are still written to have no value, by variable. */
export function lacksOf(people: ProspectFieldsFragment[] | undefined, variables: string[]): Record<string, number> {
	const values = reachable(people ?? []).map(valuesOf);
	return Object.fromEntries(variables.map((name) => [name, values.filter((those) => isBlank(those[name])).length]));
}
