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
	const total = sum(found);
	if (all.length === 0) return null;
	return (
		<>
			<fieldset className="statuses" aria-label="Status">
				{["", ...shown].map((status) => (
					<button key={status} type="button" aria-pressed={status === chosen} onClick={() => filter("status", status)}>
						{status === "" ? "All" : words(status)}{" "}
						<span className="faint">{count(status === "" ? total : (known.get(status) ?? 0))}</span>
					</button>
				))}
			</fieldset>
			{(params.get("search") || chosen) && (
				<p className="faint" role="status">
					{foundText(chosen ? (known.get(chosen) ?? 0) : total, sum(all))}
				</p>
			)}
		</>
	);
}
