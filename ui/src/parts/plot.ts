import uPlot from "uplot";
import { count, dayName } from "../logic/format";
import { type DayCounts, series } from "./series";

/** The lines in their place. */
export interface Plot {
	lay: (days: DayCounts[]) => void;
	point: (at: number) => void;
	destroy: () => void;
}

const HEIGHT = 220;

/** Draws the days into an element and follows its width. onDay is called with the day under the cursor. */
export function draw(element: HTMLElement, days: DayCounts[], onDay: (at: number | null) => void): Plot {
	const chart = new uPlot(options(element.clientWidth, onDay), columns(days), element);
	const size = new ResizeObserver(() => {
		if (chart.width !== element.clientWidth) chart.setSize({ width: element.clientWidth, height: HEIGHT });
	});
	size.observe(element);
	return {
		lay: (next) => chart.setData(columns(next)),
		point: (at) => chart.setCursor({ left: chart.valToPos(chart.data[0][at] ?? 0, "x"), top: 10 }),
		destroy: () => {
			size.disconnect();
			chart.destroy();
		},
	};
}

const seconds = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;
const columns = (days: DayCounts[]): uPlot.AlignedData => [
	days.map(({ date }) => seconds(date)),
	...series.map(({ key }) => days.map((day) => day[key])),
];

/** Tokens as plain colours: a canvas knows neither var() nor light-dark(). All are read at once, as each reading lays the page out. */
function colours<T extends string>(tokens: readonly T[]): Record<T, string> {
	const box = document.createElement("div");
	for (const token of tokens) box.appendChild(document.createElement("span")).style.color = `var(${token})`;
	document.body.append(box);
	const values = [...box.children].map((probe) => getComputedStyle(probe).color);
	box.remove();
	return Object.fromEntries(tokens.map((token, at) => [token, values[at]])) as Record<T, string>;
}

function options(width: number, onDay: (at: number | null) => void): uPlot.Options {
	const colour = colours(["--n7", "--n2", ...series.map(({ color }) => color)]);
	const grid = { stroke: colour["--n2"], width: 1 };
	const axis = {
		stroke: colour["--n7"],
		grid,
		ticks: { show: false },
		font: `12px ${getComputedStyle(document.body).fontFamily}`,
	};
	return {
		width,
		height: HEIGHT,
		tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
		legend: { show: false },
		cursor: { drag: { x: false, y: false }, points: { size: 6 } },
		scales: { y: { range: (_, __, max) => [0, Math.max(5, max * 1.08)] } },
		axes: [
			{ ...axis, size: 28, values: (_, at) => at.map((value) => dayName(new Date(value * 1000))), space: 70 },
			{
				...axis,
				size: 44,
				values: (_, at) => at.map(count),
				incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000],
			},
		],
		series: [
			{},
			...series.map((line) => ({
				label: line.label,
				stroke: colour[line.color],
				width: 2,
				points: { show: false },
				...("dash" in line ? { dash: [...line.dash] } : {}),
			})),
		],
		hooks: { setCursor: [(chart) => onDay(chart.cursor.idx ?? null)] },
	};
}
