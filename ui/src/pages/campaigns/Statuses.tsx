import { EnrollmentStatusValues } from "../../gql/enums";
import type { EnrollmentCountsQuery } from "../../gql/generated";
import { count, words } from "../../logic/format";
import { foundText } from "../../logic/movePeople";
import { usePlace } from "../../parts/usePlace";

type Counts = EnrollmentCountsQuery["enrollmentCounts"];

interface Props {
	/** The people that the search finds, by status. */
	found: Counts;
	/** All people of the campaign, by status. */
	all: Counts;
}

const sum = (counts: Counts) => counts.reduce((n, { prospects }) => n + prospects, 0);

/** The people of a campaign by status, each with its count; a press filters the list. */
export function Statuses({ found, all }: Props) {
	const { params, filter } = usePlace();
	const chosen = params.get("status") ?? "";
	const known = new Map<string, number>(found.map(({ status, prospects }) => [status, prospects]));
	const shown = EnrollmentStatusValues.filter(
		(one) => known.has(one) || one === chosen || all.some(({ status }) => status === one),
	);
	if (all.length === 0) return null;
	return (
		<fieldset className="statuses" aria-label="Status">
			{["", ...shown].map((status) => (
				<button key={status} type="button" aria-pressed={status === chosen} onClick={() => filter("status", status)}>
					{status === "" ? "All" : words(status)}{" "}
					<span className="faint">{count(status === "" ? sum(found) : (known.get(status) ?? 0))}</span>
				</button>
			))}
		</fieldset>
	);
}

/** How many people the filters leave of all; nothing without filters. */
export function FoundPeople({ found, all }: Props) {
	const { params } = usePlace();
	const status = params.get("status");
	if (all.length === 0 || !(status || params.get("search"))) return null;
	const left = status ? found.filter((counts) => counts.status === status) : found;
	return (
		<p className="faint" role="status">
			{foundText(sum(left), sum(all))}
		</p>
	);
}
