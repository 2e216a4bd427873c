import { count, share } from "../../logic/format";
import { filled, type Stage } from "../../logic/funnel";

/** The stages of a campaign one below the other; the bars repeat the figures for the eye. */
export function Funnel({ stages }: { stages: Stage[] }) {
	return (
		<ol className="stages" aria-label="From everyone enrolled to positive replies">
			{stages.map((stage) => (
				<li key={stage.key} className={stage.key}>
					<span>
						{stage.label}
						{stage.atMost && <small className="faint"> at most</small>}
					</span>
					<span className="stage-bar" aria-hidden>
						{stage.n > 0 && <span style={{ width: `${filled(stage)}%` }} />}
					</span>
					<b>{count(stage.n)}</b>
					<span className="rate">
						{stage.whole === undefined ? (
							<span className="faint">enrolled</span>
						) : (
							<>
								{share(stage.n, stage.whole)} <span className="faint">{stage.of}</span>
							</>
						)}
					</span>
				</li>
			))}
		</ol>
	);
}
