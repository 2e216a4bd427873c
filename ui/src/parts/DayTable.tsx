import { count } from "../logic/format";
import { ScrollX } from "./ScrollX";
import { type DayCounts, series } from "./series";

/** The figures of a chart as a table, the newest day first. */
export function DayTable({ days }: { days: DayCounts[] }) {
	return (
		<ScrollX label="Figures by day">
			<table className="plain">
				<thead>
					<tr>
						<th scope="col">Day (UTC)</th>
						{series.map(({ key, label }) => (
							<th scope="col" className="num" key={key}>
								{label}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{days.toReversed().map((row) => (
						<tr key={row.date}>
							<td>{row.date}</td>
							{series.map(({ key }) => (
								<td className="num" key={key}>
									{count(row[key])}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</ScrollX>
	);
}
