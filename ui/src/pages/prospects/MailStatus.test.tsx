import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Router } from "wouter";
import { client, remember } from "../../data";
import { MailStatusDocument, type MailStatusQuery, type ProspectFieldsFragment } from "../../gql/generated";
import { MailStatus } from "./MailStatus";

const person = { id: "p1", email: "ann@team.rival.example" } as ProspectFieldsFragment;

/** What is shown once the server has said this of a person: the markup, and its text. */
function shown(said: Partial<MailStatusQuery["mailStatus"]>): [markup: string, text: string] {
	const mailStatus = {
		state: "none",
		reason: "",
		at: null,
		suppression: null,
		...said,
	} as MailStatusQuery["mailStatus"];
	remember(MailStatusDocument, { prospectId: person.id }, { mailStatus });
	const markup = renderToStaticMarkup(
		<QueryClientProvider client={client}>
			<Router ssrPath="/">
				<MailStatus prospect={person} />
			</Router>
		</QueryClientProvider>,
	);
	return [markup, markup.replaceAll(/<[^>]*>/g, "")];
}

test("a suppressed person is told in red, since when, with a link to the suppression of the domain", () => {
	const [markup, text] = shown({
		state: "suppressed",
		reason: "Not mailed: everyone at rival.example is suppressed.",
		suppression: { id: "s1", email: null, domain: "rival.example", createdAt: "2020-11-20T12:00:00Z" },
	});
	expect(text).toMatch(
		/^Not mailed: everyone at rival\.example is suppressed\. Added \d+ yr\. ago\. Show suppression$/,
	);
	expect(markup).toContain('class="note bad"');
	expect(markup).toContain('href="/suppressions/s1?search=rival.example"');
});

test("a held person is told in amber, with when sending continues", () => {
	const [markup, text] = shown({ state: "held", reason: "Held in Spring: out of office.", at: "2099-06-01T12:00:00Z" });
	expect(text).toBe("Held in Spring: out of office. Continues on Jun 1, 2099. ");
	expect(markup).toContain('class="note warn"');
});

test.each([
	[
		"waiting",
		"Waiting for step 2 of Spring.",
		"2099-06-01T12:00:00Z",
		/^Waiting for step 2 of Spring\. Sent on Jun 1, 2099 at the earliest\. $/,
	],
	["replied", "Replied: no more mails are sent.", null, /^Replied: no more mails are sent\. $/],
	["none", "Not mailed yet: not in a running campaign.", null, /^Not mailed yet: not in a running campaign\. $/],
] as const)("%s is no alarm", (state, reason, at, said) => {
	const [markup, text] = shown({ state, reason, at });
	expect(text).toMatch(said);
	expect(markup).toContain('class="note"');
});

test.each(["unsubscribed", "bounced"] as const)("%s is told in red", (state) =>
	expect(shown({ state, reason: "Not mailed." })[0]).toContain('class="note bad"'),
);

test("nothing is shown before the server has answered", () => {
	client.clear();
	expect(
		renderToStaticMarkup(
			<QueryClientProvider client={client}>
				<MailStatus prospect={person} />
			</QueryClientProvider>,
		),
	).toBe("");
});
