import { useEffect, useRef, useState } from "react";
import { dayName } from "../logic/format";
import { DayTable } from "./DayTable";
import { whenIdle } from "./fetchAhead";
import type { Plot } from "./plot";
import { type DayCounts, series } from "./series";

/** Days as lines. Arrow keys move between the days, the values under the cursor are shown below, and a table has the same figures. */
export function Chart({ days }: { days: DayCounts[] }) {
	const box = useRef<HTMLDivElement>(null);
	const plot = useRef<Plot | null>(null);
	const latest = useRef(days);
	const [at, setAt] = useState<number | null>(null);
	const [table, setTable] = useState(false);
	const [theme, setTheme] = useState(0);

	useEffect(() => {
		const again = () => setTheme((n) => n + 1);
		const media = matchMedia("(prefers-color-scheme: dark)");
		media.addEventListener("change", again);
		window.addEventListener("themechange", again);
		return () => {
			media.removeEventListener("change", again);
			window.removeEventListener("themechange", again);
		};
	}, []);

	// The figures come first: what draws the lines is fetched when there is nothing else to do.
	// biome-ignore lint/correctness/useExhaustiveDependencies: the colours have changed, or the chart is back
	useEffect(() => {
		const element = box.current;
		if (!element) return;
		let gone = false;
		void whenIdle()
			.then(() => import("./plot"))
			.then(
				({ draw }) => {
					if (!gone) plot.current = draw(element, latest.current, setAt);
				},
				() => undefined,
			);
		return () => {
			gone = true;
			plot.current?.destroy();
			plot.current = null;
		};
	}, [theme, table]);
	useEffect(() => {
		latest.current = days;
		plot.current?.lay(days);
	}, [days]);

	const walk = (step: number) => {
		const to = Math.max(0, Math.min(days.length - 1, (at ?? days.length) + step));
		plot.current?.point(to);
		setAt(to);
	};
	const day = at === null ? undefined : days[at];
	return (
		<figure className="section">
			{!table && (
				<div
					className="chart"
					ref={box}
					// biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk the days of the picture
					tabIndex={0}
					role="img"
					aria-label={`Sent, replies, positive replies, bounces and opens over ${days.length} days. Arrow keys walk the days.`}
					onKeyDown={(event) => {
						if (event.key === "ArrowLeft") walk(-1);
						else if (event.key === "ArrowRight") walk(1);
						else return;
						event.preventDefault();
					}}
				/>
			)}
			<figcaption className="line">
				<span className="faint grow" aria-live="polite">
					{day
						? `${dayName(new Date(day.date))}: ${series.map(({ key, label }) => `${label.toLowerCase()} ${day[key]}`).join(", ")}`
						: "Per day, in UTC"}
				</span>
				<button
					type="button"
					className="link"
					onClick={() => {
						setTable(!table);
						setAt(null);
					}}
				>
					{table ? "Show the chart" : "Show as a table"}
				</button>
			</figcaption>
			{table && <DayTable days={days} />}
		</figure>
	);
}
