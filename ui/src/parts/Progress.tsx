import { count, duration, plural } from "../logic/format";

interface Props {
	done: number;
	total: number;
	startedAt: number;
	label: string;
	unit: string;
}

/** Progress of long work: count, rate and time left. Screen readers hear each tenth only. */
export function Progress({ done, total, startedAt, label, unit }: Props) {
	const seconds = Math.max(0.001, (Date.now() - startedAt) / 1000);
	const rate = done / seconds;
	const tenth = total === 0 ? 10 : Math.floor((done / total) * 10);
	return (
		<div className="progress">
			<progress aria-label={label} max={total || 1} value={done} />
			<p className="line">
				<b>
					{count(done)} of {plural(total, unit)}
				</b>
				<span className="faint">
					{count(Math.round(rate))} a second
					{done > 0 && done < total ? `, ${duration((total - done) / rate)} left` : ""}
				</span>
			</p>
			<p className="offscreen" role="status">
				{tenth * 10} percent
			</p>
		</div>
	);
}
