import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { Router } from "wouter";
import { client } from "../../data";
import type { EnrollmentFieldsFragment } from "../../gql/generated";
import { EnrollmentActs } from "../prospects/Enrollments";
import { HeldCauses } from "./HeldCauses";

const held = (unknownMessageId: string | null): EnrollmentFieldsFragment => ({
	id: "e1",
	campaignId: "c1",
	prospectId: "p1",
	mailboxId: null,
	status: "held",
	stopReason: null,
	holdReason: unknownMessageId ? "it is unknown whether step 1 was sent" : "a server refused the mailbox",
	holdUntil: null,
	unknownMessageId,
	nextStep: 1,
	nextSendAt: null,
	createdAt: "2026-11-20T10:00:00Z",
	prospect: { id: "p1", email: "ann@x.test", firstName: "Ann", lastName: null, companyName: null },
	campaign: { id: "c1", name: "C", status: "active" },
});

/** The buttons and links of the row and of the cause. */
function offered(unknownMessageId: string | null): string[] {
	const enrollment = held(unknownMessageId);
	client.setQueryData(["all", "Enrollments", { campaignId: "c1", status: "held" }], [enrollment]);
	const markup = renderToStaticMarkup(
		<Router ssrPath="/">
			<QueryClientProvider client={client}>
				<EnrollmentActs enrollment={enrollment} />
				<HeldCauses campaignId="c1" />
			</QueryClientProvider>
		</Router>,
	);
	return [...markup.matchAll(/<(?:button|a) [^>]*>([^<]+)</g)].map(([, text]) => text ?? "");
}

afterEach(() => client.clear());

test("of a message that may have been sent a person decides; it is not resumed", () => {
	expect(offered("m1")).toEqual(["Pause", "Decide", "Stop", "Decide"]);
	expect(offered(null)).toEqual(["Pause", "Resume", "Stop", "Resume"]);
});
