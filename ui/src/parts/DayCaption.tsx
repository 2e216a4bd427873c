import { count, dayName } from "../logic/format";
import { type DayCounts, series } from "./series";

interface Props {
	/** The day that is pointed at. */
	day: DayCounts | undefined;
	/** Whether the table is shown instead of the chart. */
	table: boolean;
	onFlip: () => void;
}

/** The line below a chart of days: the figures of a day, and the way to the table. */
export function DayCaption({ day, table, onFlip }: Props) {
	return (
		<figcaption className="line">
			<span className="faint grow" aria-live="polite">
				{day
					? `${dayName(new Date(day.date))}: ${series.map(({ key, label }) => `${label.toLowerCase()} ${count(day[key])}`).join(", ")}`
					: "Per day, in UTC"}
			</span>
			<button type="button" className="link" onClick={onFlip}>
				{table ? "Show the chart" : "Show as a table"}
			</button>
		</figcaption>
	);
}
