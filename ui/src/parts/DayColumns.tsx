import { type PointerEvent, useState } from "react";
import { namedDays, niceTop } from "../logic/columns";
import { count, dayName } from "../logic/format";
import { DayCaption } from "./DayCaption";
import { DayTable } from "./DayTable";
import type { DayCounts } from "./series";

/**
 * What was sent and what was answered on each day, one above the other with a scale of their own. Arrow
 * keys move between the days, and a table has the same figures.
 */
export function DayColumns({ days }: { days: DayCounts[] }) {
	const [at, setAt] = useState<number | null>(null);
	const [table, setTable] = useState(false);
	const day = at === null ? undefined : days[at];
	const under = ({ clientX, currentTarget }: PointerEvent) => {
		const plot = currentTarget.querySelector("svg")?.getBoundingClientRect();
		if (!plot) return;
		const to = Math.floor(((clientX - plot.left) / plot.width) * days.length);
		setAt(to >= 0 && to < days.length ? to : null);
	};
	return (
		<figure className="section">
			{!table && (
				<div
					className="day-columns"
					// biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk the days of the picture
					tabIndex={0}
					role="img"
					aria-label={`Sent and replies of each of ${days.length} days. Arrow keys walk the days.`}
					onPointerMove={under}
					onPointerLeave={() => setAt(null)}
					onBlur={() => setAt(null)}
					onKeyDown={(event) => {
						const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
						if (step === 0) return;
						event.preventDefault();
						setAt(Math.max(0, Math.min(days.length - 1, (at ?? days.length) + step)));
					}}
				>
					<Panel name="Sent" days={days} whole="sent" at={at} />
					<Panel name="Replies" days={days} whole="replied" part="positive" at={at} />
					<Dates days={days} />
				</div>
			)}
			<DayCaption
				day={day}
				table={table}
				onFlip={() => {
					setTable(!table);
					setAt(null);
				}}
			/>
			{table && <DayTable days={days} />}
		</figure>
	);
}

type Key = "sent" | "replied" | "positive";

interface PanelProps {
	name: string;
	days: DayCounts[];
	whole: Key;
	/** What is shown as the lower part of each column. */
	part?: Key;
	at: number | null;
}

/** The width of a day in the picture, which is stretched to the room that there is. */
const DAY = 10;

function Panel({ name, days, whole, part, at }: PanelProps) {
	const top = niceTop(Math.max(0, ...days.map((day) => day[whole])));
	const column = (key: Key) =>
		days.map((day, n) => {
			const height = day[key] === 0 ? 0 : Math.max(2, (day[key] / top) * 100);
			return <rect key={day.date} className={key} x={n * DAY + 1.5} y={100 - height} width={DAY - 3} height={height} />;
		});
	return (
		<div className={`day-panel ${whole}`}>
			<p className="line">
				<span className="line tight">
					<span className={`swatch ${whole}`} aria-hidden /> {name}
				</span>
				{part && (
					<span className="line tight">
						<span className={`swatch ${part}`} aria-hidden /> of these {part}
					</span>
				)}
			</p>
			<span className="scale">
				<span>{count(top)}</span>
				<span>{count(top / 2)}</span>
				<span>0</span>
			</span>
			<svg viewBox={`0 0 ${days.length * DAY} 100`} preserveAspectRatio="none" aria-hidden>
				{at !== null && <rect className="at" x={at * DAY} y={0} width={DAY} height={100} />}
				{column(whole)}
				{part && column(part)}
			</svg>
		</div>
	);
}

/** At phone width there is room for about four dates. */
const FEW = 4;

function Dates({ days }: { days: DayCounts[] }) {
	const named = namedDays(days.map(({ date }) => date));
	const each = Math.ceil(named.length / FEW);
	return (
		<div className="dates">
			{named.map((at, n) => (
				<span
					key={at}
					className={n % each === 0 ? undefined : "rare"}
					style={{ left: `${((at + 0.5) / days.length) * 100}%` }}
				>
					{dayName(new Date(`${days[at]?.date}T00:00:00Z`))}
				</span>
			))}
		</div>
	);
}
