import { expect, it } from "vitest";
import type { EnrollmentFieldsFragment } from "../../gql/generated";
import { where } from "./Enrollments";

const ended = (part: Partial<EnrollmentFieldsFragment>): EnrollmentFieldsFragment => ({
	id: "e1",
	campaignId: "c1",
	prospectId: "p1",
	mailboxId: null,
	status: "replied",
	stopReason: null,
	holdReason: null,
	holdUntil: null,
	unknownMessageId: null,
	nextStep: 2,
	nextSendAt: null,
	createdAt: "2026-11-20T10:00:00Z",
	prospect: null,
	campaign: { id: "c1", name: "C", status: "active" },
	...part,
});

it.each([
	["replied", "the prospect replied", "Before step 2"],
	["replied", "a colleague replied", "A colleague replied"],
	["unsubscribed", "the prospect unsubscribed", "Before step 2"],
	["unsubscribed", "the prospect complained", "The prospect complained"],
] as const)("beside the badge %s the reason %s reads %s", (status, stopReason, want) =>
	expect(where(ended({ status, stopReason }))).toBe(want),
);
