import { useEffect, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { count, plural } from "../logic/format";
import { type Work, works } from "../logic/work";

/** Work that runs in the background, shown on every screen but its own. */
export function Works({ path }: { path: string }) {
	const list = useSyncExternalStore(works.watch, works.read);
	const busy = list.some((work) => work.busy);
	useEffect(() => {
		if (!busy) return;
		const warn = (event: BeforeUnloadEvent) => event.preventDefault();
		window.addEventListener("beforeunload", warn);
		return () => window.removeEventListener("beforeunload", warn);
	}, [busy]);
	const at = (href: string) =>
		path === href || (path.startsWith(`${href}/`) && !list.some(({ about }) => about.href === path));
	return list.filter(({ about }) => !at(about.href)).map((work) => <Line key={work.about.href} work={work} />);
}

function Line({ work }: { work: Work<never, string> }) {
	const state = useSyncExternalStore(work.watch, work.read);
	if (state.phase === "done") {
		return (
			<div className="work" role="status">
				<span className="clip">
					{state.title}: {state.stopped ? "stopped" : "finished"}, {count(state.done)} of{" "}
					{plural(state.total, work.about.unit)}.
				</span>
				<Link className="see" href={work.about.href}>
					Show result
				</Link>
				<button type="button" className="link" onClick={work.see}>
					Dismiss
				</button>
			</div>
		);
	}
	return (
		<div className="work">
			<Link className="clip" href={work.about.href}>
				{state.title}
			</Link>
			<progress aria-label={state.title} max={state.total || 1} value={state.done} />
			<span className="faint">
				{state.phase === "waiting"
					? "waiting for the server"
					: `${Math.floor((100 * state.done) / (state.total || 1))} %`}
			</span>
		</div>
	);
}
