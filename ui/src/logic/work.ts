import { passes } from "./passes";

/** One refused row with its line in the file; pointer names the invalid value, if there is one. */
export interface Refused {
	row?: number;
	what: string;
	pointer: string;
	reason: string;
}
/** The result of the server for one row. */
export interface Verdict<O extends string> {
	outcome: O;
	refused?: { pointer: string; reason: string };
}
export interface WorkState<O extends string = string> {
	phase: "idle" | "running" | "waiting" | "done";
	title: string;
	total: number;
	done: number;
	counts: Partial<Record<O, number>>;
	refused: Refused[];
	startedAt: number;
	finishedAt: number;
	/** Why it waits. */
	note: string;
	stopped: boolean;
	/** Whether the result has been shown. */
	seen: boolean;
}
interface About<R> {
	/** The page that shows progress and result, and the name of one row. */
	href: string;
	unit: string;
	/** How many rows go at once; CHUNK unless told. */
	chunk?: number;
	name: (row: R) => { row?: number; what: string };
}

/** How many rows the server accepts at once. */
export const CHUNK = 1_000;
const idle = {
	phase: "idle",
	title: "",
	total: 0,
	done: 0,
	counts: {},
	refused: [],
	startedAt: 0,
	finishedAt: 0,
	note: "",
	stopped: false,
	seen: true,
} as const;

const all = new Set<Work<never, string>>();
const watchers = new Set<() => void>();
let shown: readonly Work<never, string>[] = [];
/** Work that runs, or that ended and has not been shown yet. */
export const works = {
	read: () => shown,
	watch: (watcher: () => void) => {
		watchers.add(watcher);
		return () => {
			watchers.delete(watcher);
		};
	},
};

/**
 * Long work, a thousand rows at a time. It runs outside of any page,
 * so that the user can leave the page and come back. It waits for an unavailable server. A
 * chunk whose answer was lost is sent again, so what is sent must be the same
 * when it is done twice. Every row is either counted or refused.
 */
export class Work<R, O extends string> {
	private state: WorkState<O> = { ...idle, refused: [] };
	private wake: () => void = () => undefined;

	constructor(
		readonly about: About<R>,
		private readonly pause = (ms: number) =>
			new Promise<void>((resolve) => {
				setTimeout(resolve, ms);
			}),
	) {
		all.add(this as unknown as Work<never, string>);
	}

	get busy(): boolean {
		return this.state.phase === "running" || this.state.phase === "waiting";
	}
	read = (): WorkState<O> => this.state;
	watch = works.watch;
	stop = (): void => {
		if (this.busy) {
			this.set({ stopped: true });
			this.wake();
		}
	};
	see = (): void => {
		if (!this.state.seen) this.set({ seen: true });
	};
	reset = (): void => this.set({ ...idle, counts: {}, refused: [] });

	private set(part: Partial<WorkState<O>>): void {
		this.state = { ...this.state, ...part };
		shown = [...all].filter((work) => work.busy || !work.read().seen);
		for (const watcher of watchers) watcher();
	}

	/** Does rows in order; refused are those that were left out before. */
	async run(
		title: string,
		rows: R[],
		send: (rows: R[]) => Promise<Verdict<O>[]>,
		refused: Refused[] = [],
	): Promise<void> {
		if (this.busy) return;
		this.set({
			...idle,
			phase: "running",
			title,
			total: rows.length,
			counts: {},
			refused: [...refused],
			startedAt: Date.now(),
		});
		const { chunk = CHUNK } = this.about;
		for (let from = 0; from < rows.length && !this.state.stopped; from += chunk)
			await this.chunk(rows.slice(from, from + chunk), send);
		this.set({ phase: "done", note: "", finishedAt: Date.now(), seen: false, stopped: this.state.done < rows.length });
	}

	private async chunk(rows: R[], send: (rows: R[]) => Promise<Verdict<O>[]>): Promise<void> {
		for (let attempt = 0; !this.state.stopped; attempt++) {
			try {
				this.count(rows, await send(rows));
				return;
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				if (!passes(error, attempt)) {
					this.count(
						rows,
						rows.map(() => ({ outcome: "refused" as O, refused: { pointer: "", reason } })),
					);
					return;
				}
				this.set({ phase: "waiting", note: reason });
				await Promise.race([
					this.pause(Math.min(10_000, 1_000 * 2 ** attempt)),
					new Promise<void>((resolve) => {
						this.wake = resolve;
					}),
				]);
			}
		}
	}

	private count(rows: R[], verdicts: Verdict<O>[]): void {
		const counts = { ...this.state.counts },
			refused = this.state.refused;
		verdicts.forEach(({ outcome, refused: why }, at) => {
			const row = rows[at];
			if (why && row !== undefined) refused.push({ ...this.about.name(row), ...why });
			else counts[outcome] = (counts[outcome] ?? 0) + 1;
		});
		this.set({ phase: "running", note: "", done: this.state.done + rows.length, counts });
	}
}

/** The refused as rows of a CSV file, with the reason of each. */
export function refusedRows(refused: Refused[], what: string): unknown[][] {
	return [[what, "field", "reason"], ...refused.map((one) => [one.what, one.pointer.replace(/^\//, ""), one.reason])];
}
