import { useMemo } from "react";
import { useAll } from "../../data";
import { CampaignPeopleDocument, type ProspectFieldsFragment } from "../../gql/generated";
import { bodies, type StepDraft } from "../../logic/campaignDraft";
import { count } from "../../logic/format";
import { isBlank, lacking, valuesOf } from "../../logic/templateVariables";

/** The most people of a campaign whose values are looked at here. */
export const MOST = 1_000;

/** People of a campaign with all their values: the newest, and whether there are more. */
export interface People {
	newest: ProspectFieldsFragment[];
	more: boolean;
}

/** Reads the newest people of a campaign; undefined until they are read. */
export function usePeople(campaignId: string): People | undefined {
	// One more than is shown is read, so that a campaign of exactly MOST is known to be whole.
	const { data } = useAll(CampaignPeopleDocument, (page) => page.prospects, { campaignId }, { most: MOST + 1 });
	return useMemo(() => data && { newest: data.slice(0, MOST), more: data.length > MOST }, [data]);
}

/** Those who are still written to. */
export const reachable = (people: ProspectFieldsFragment[]) =>
	people.filter(({ status }) => status === "new" || status === "in_sequence" || status === "paused");

/** The templates of steps that are sent, subject and bodies. */
export const templatesOf = (steps: StepDraft[]) =>
	steps.flatMap((step) => Object.values(bodies(step)).filter((text) => text !== null));

export interface Lack {
	name: string;
	people: ProspectFieldsFragment[];
}

/** Who lacks a value that the steps print without a fallback, variable by variable. */
export function useLacks(people: People | undefined, steps: StepDraft[]): Lack[] {
	return useMemo(() => {
		const templates = templatesOf(steps);
		const by = new Map<string, ProspectFieldsFragment[]>();
		for (const person of reachable(people?.newest ?? []))
			for (const name of lacking(templates, valuesOf(person))) by.set(name, [...(by.get(name) ?? []), person]);
		return [...by].map(([name, those]) => ({ name, people: those })).sort((a, b) => b.people.length - a.people.length);
	}, [people, steps]);
}

/** How many of those who are still written to have no value, in words, by variable; without the variables that all have. */
export function lacksOf(people: People | undefined, variables: string[]): Record<string, string> {
	const values = reachable(people?.newest ?? []).map(valuesOf);
	const atLeast = people?.more ? "at least " : "";
	return Object.fromEntries(
		variables.flatMap((name) => {
			const n = values.filter((those) => isBlank(those[name])).length;
			return n > 0 ? [[name, `${atLeast}${count(n)} ${n === 1 ? "has" : "have"} none`]] : [];
		}),
	);
}
