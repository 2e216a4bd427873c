import { WINDOW } from "../../logic/deliverability";
import { count, dayName, share } from "../../logic/format";

interface Props {
	name: "Bounces" | "Complaints";
	value: number;
	all: number;
	/** The number at which the mailbox is paused. */
	bound: number;
	/** The rate over seven days, at the end of each day; null without messages. */
	rates: (number | null)[];
	/** The day of the first and of the last rate. */
	from: string;
	to: string;
	paused: boolean;
}

/** One kind of outcome of a mailbox: its rate over seven days, and how that came about over the last weeks. */
export function Rate({ name, value, all, bound, rates, from, to, paused }: Props) {
	const tone = paused && value >= bound ? "bad" : 2 * value >= bound ? "warn" : "plain";
	return (
		<div className={`outcome ${tone}`}>
			<p className="line tight">
				<span className="grow">{name}</span>
				<b>{share(value, all)}</b>
			</p>
			<Line
				rates={rates}
				limit={all > 0 ? bound / all : null}
				label={`${name} over ${WINDOW} days, ${dayOf(from)} to ${dayOf(to)}`}
			/>
			<small className="faint">
				{all === 0 ? `No mails in ${WINDOW} days` : `${count(value)} of ${count(all)}, paused at ${count(bound)}`}
			</small>
		</div>
	);
}

const dayOf = (date: string) => dayName(new Date(`${date}T00:00:00Z`));

const HEIGHT = 40;

/** The rates as a line. The dashed line is the rate at which the mailbox is paused now. */
function Line({ rates, limit, label }: { rates: (number | null)[]; limit: number | null; label: string }) {
	const most = Math.max(0, ...rates.map((rate) => rate ?? 0));
	const shown = limit !== null && limit <= 1 ? limit : null;
	const top = Math.max(most, shown ?? 0, 0.001) * 1.15;
	const y = (rate: number) => HEIGHT - (rate / top) * HEIGHT;
	const now = rates.at(-1);
	return (
		<svg
			viewBox={`0 0 ${rates.length - 1} ${HEIGHT}`}
			preserveAspectRatio="none"
			role="img"
			aria-label={`${label}: at most ${share(most, 1)}, now ${now === null || now === undefined ? "no mails" : share(now, 1)}`}
		>
			{shown !== null && <line className="limit" x1={0} x2={rates.length - 1} y1={y(shown)} y2={y(shown)} />}
			{pieces(rates).map((piece) => (
				<polyline key={piece[0]?.[0]} points={piece.map(([at, rate]) => `${at},${y(rate)}`).join(" ")} />
			))}
		</svg>
	);
}

/** The days with messages, in runs without a gap. A day alone is a line of half a day to each side. */
export function pieces(rates: (number | null)[]): [at: number, rate: number][][] {
	const all: [number, number][][] = [];
	for (const [at, rate] of rates.entries()) {
		if (rate === null) continue;
		if (at > 0 && rates[at - 1] !== null) all.at(-1)?.push([at, rate]);
		else all.push([[at, rate]]);
	}
	const last = rates.length - 1;
	return all.map((piece) =>
		piece.length > 1
			? piece
			: piece.flatMap(([at, rate]): [number, number][] => [
					[Math.max(0, at - 0.5), rate],
					[Math.min(last, at + 0.5), rate],
				]),
	);
}
