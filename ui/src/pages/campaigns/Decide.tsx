import { Link } from "wouter";
import type { EnrollmentFieldsFragment } from "../../gql/generated";
import { nameOf } from "../../logic/format";

/** Leads to the question whether the message that an enrollment waits for was sent. */
export function Decide({ enrollment: e, button = false }: { enrollment: EnrollmentFieldsFragment; button?: boolean }) {
	return (
		<Link
			className={button ? "button" : undefined}
			href={`/campaigns/unknown/${e.unknownMessageId}`}
			aria-label={`Decide: was the message to ${e.prospect ? nameOf(e.prospect) : "a deleted prospect"} sent?`}
		>
			Decide
		</Link>
	);
}
