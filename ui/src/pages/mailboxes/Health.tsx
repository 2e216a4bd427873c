import { AlertTriangle } from "lucide-react";
import type { HealthFieldsFragment } from "../../gql/generated";
import { count, plural } from "../../logic/format";
import { Time } from "../../parts/Time";

/** What came of the mails of seven days, against the numbers at which the mailbox is paused. */
export function Health({ health: h, paused }: { health: HealthFieldsFragment; paused: boolean }) {
	return (
		<div className="health">
			<Days days={h.days} />
			<div className="bounds">
				<Bound name="Bounces" value={h.bounced} bound={h.bounceBound} all={h.attempted} paused={paused} />
				<Bound name="Complaints" value={h.complained} bound={h.complaintBound} all={h.attempted} paused={paused} />
			</div>
			{h.warning && (
				<p className="warn-text line tight">
					<AlertTriangle size={14} aria-hidden /> {h.warning}
				</p>
			)}
		</div>
	);
}

const WIDTH = 160;
const HEIGHT = 48;

/** The mails of each day as columns; what came back or was complained about is the lower part. */
function Days({ days }: { days: HealthFieldsFragment["days"] }) {
	const most = Math.max(1, ...days.map((day) => day.attempted));
	const step = WIDTH / days.length;
	const sent = days.reduce((sum, day) => sum + day.attempted, 0);
	return (
		<figure>
			<svg
				viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
				preserveAspectRatio="none"
				role="img"
				aria-label={`${plural(sent, "mail")} in the last seven days`}
			>
				{days.map((day, n) => {
					const bad = Math.min(day.attempted, day.bounced + day.complained);
					const height = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT));
					return (
						<g key={day.date} transform={`translate(${n * step} 0)`}>
							<title>
								{`${day.date}: ${plural(day.attempted, "mail")}, ${count(day.bounced)} bounced, ${count(day.complained)} complaints`}
							</title>
							<rect className="rest" y={HEIGHT - 1} width={step - 4} height={1} />
							<rect
								className="sent"
								y={HEIGHT - height(day.attempted)}
								width={step - 4}
								height={height(day.attempted)}
							/>
							<rect className="bad" y={HEIGHT - height(bad)} width={step - 4} height={height(bad)} />
						</g>
					);
				})}
			</svg>
			<figcaption className="faint">
				<Time at={`${days[0]?.date}T12:00:00Z`} /> to today: {plural(sent, "mail")}
			</figcaption>
		</figure>
	);
}

type BoundProps = { name: string; value: number; bound: number; all: number; paused: boolean };

/** A figure on a scale that ends above its bound, which is marked. */
function Bound({ name, value, bound, all, paused }: BoundProps) {
	const scale = Math.max(value, bound) * 1.25;
	const place = (n: number) => `${(n / scale) * 100}%`;
	const tone = paused && value >= bound ? "bad" : 2 * value >= bound ? "warn" : "plain";
	return (
		<div className="bound">
			<span>{name}</span>
			<span className="faint">
				{count(value)} of {plural(all, "mail")}, paused at {count(bound)}
			</span>
			<span className={`track ${tone}`}>
				<span style={{ width: place(value) }} />
				<i style={{ left: place(bound) }} />
			</span>
		</div>
	);
}
