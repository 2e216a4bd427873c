import { EnrollmentStatusValues } from "../../gql/enums";
import type { CampaignStatsQuery } from "../../gql/generated";
import { count, words } from "../../logic/format";
import { usePlace } from "../../parts/usePlace";

/** The people of a campaign by status, each with its count; a press filters the list. */
export function Statuses({ stats }: { stats: CampaignStatsQuery["campaignStats"] }) {
	const { params, filter } = usePlace();
	const chosen = params.get("status") ?? "";
	const known = new Map<string, number>(stats.statuses.map(({ status, prospects }) => [status, prospects]));
	const shown = EnrollmentStatusValues.filter((status) => known.has(status) || status === chosen);
	if (stats.prospects === 0) return null;
	return (
		<fieldset className="statuses" aria-label="Status">
			{["", ...shown].map((status) => (
				<button key={status} type="button" aria-pressed={status === chosen} onClick={() => filter("status", status)}>
					{status === "" ? "All" : words(status)}{" "}
					<span className="faint">{count(status === "" ? stats.prospects : (known.get(status) ?? 0))}</span>
				</button>
			))}
		</fieldset>
	);
}
