// Deletions that can be undone: each is done ten seconds after it was asked for.
import { passes } from "./passes";
import { CHUNK } from "./work";

/** How long a deletion can be undone, in milliseconds. */
export const WAIT = 10_000;
/** How long after that a deletion counts as one whose page has died. */
export const GRACE = 60_000;
/** How long it waits for a server that is not available, in milliseconds. */
const AGAIN = 5_000;

interface Kept {
	ids: string[];
	/** When it is done, in milliseconds since 1970. */
	due: number;
}

interface Waiting extends Kept {
	key: string;
	timer?: ReturnType<typeof setTimeout>;
	done: (error?: unknown) => void;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/**
 * Waits with the deletion of rows, and keeps it in the storage of the browser until it is done. A page that goes away
 * sends it at once, as it was not undone. Where that does not arrive, because the browser died or there were too many,
 * the next page of the same user does it. To delete twice does no harm.
 */
export class Deletions {
	private waiting: Waiting[] = [];
	private ids: ReadonlySet<string> = new Set();
	private readonly watchers = new Set<() => void>();

	/** send deletes up to CHUNK rows and returns how many there were; leave does so from a page that goes away. */
	constructor(
		private readonly send: (ids: string[]) => Promise<number>,
		private readonly leave: (ids: string[]) => void,
		private readonly store: () => Store = () => localStorage,
	) {}

	/** The rows that are to be deleted. Lists leave them out. */
	read = (): ReadonlySet<string> => this.ids;
	watch = (watcher: () => void): (() => void) => {
		this.watchers.add(watcher);
		return () => {
			this.watchers.delete(watcher);
		};
	};

	/**
	 * Deletes rows after ten seconds, then calls done, with an error if they were not deleted. owner names the user and
	 * the workspace. The result takes the deletion back, and reports whether it was in time.
	 */
	add(owner: string, ids: string[], done: (error?: unknown) => void): () => boolean {
		const one: Waiting = { key: `${owner}.${crypto.randomUUID()}`, ids, due: Date.now() + WAIT, done };
		one.timer = setTimeout(() => void this.run(one), WAIT);
		this.keep(one);
		this.set([...this.waiting, one]);
		return () => {
			if (one.timer === undefined) return false;
			clearTimeout(one.timer);
			this.forget(one);
			return true;
		};
	}

	/** Sends all that waits, as the page goes away. One that comes back sends it once more. */
	flush = (): void => {
		for (const one of this.waiting) {
			clearTimeout(one.timer);
			one.timer = undefined; // it cannot be taken back any more
			this.leave(one.ids.slice(0, CHUNK));
		}
	};

	/** Does all that waits now, and resolves when it is done. */
	hurry = async (): Promise<void> => {
		const timed = this.waiting.filter(({ timer }) => timer !== undefined);
		for (const { timer } of timed) clearTimeout(timer);
		await Promise.all(timed.map((one) => this.run(one)));
	};

	/** Does what waits without a timer: a page that went away has come back. */
	back = (): void => {
		for (const one of this.waiting) if (one.timer === undefined) void this.run(one);
	};

	/** Does what the pages that died have left, and returns how many rows it deleted. */
	async resume(owner: string): Promise<number> {
		let deleted = 0;
		for (const key of this.keys(owner)) {
			const { ids, due } = JSON.parse(this.store().getItem(key) ?? '{ "ids": [], "due": 0 }') as Kept;
			if (Date.now() < due + GRACE || this.waiting.some((one) => one.key === key)) continue;
			for (let from = 0; from < ids.length; from += CHUNK) deleted += await this.send(ids.slice(from, from + CHUNK));
			this.store().removeItem(key);
		}
		return deleted;
	}

	private keys(owner: string): string[] {
		const store = this.store();
		const keys = Array.from({ length: store.length }, (_, n) => store.key(n) ?? "");
		return keys.filter((key) => key.startsWith(`${owner}.`));
	}

	private async run(one: Waiting): Promise<void> {
		one.timer = undefined;
		let failure: unknown;
		for (let from = 0, attempt = 0; from < one.ids.length && failure === undefined; ) {
			try {
				await this.send(one.ids.slice(from, from + CHUNK));
				from += CHUNK;
				attempt = 0;
			} catch (error) {
				if (!passes(error, attempt++)) failure = error;
				else {
					this.keep({ ...one, due: Date.now() });
					await new Promise((resolve) => setTimeout(resolve, AGAIN));
				}
			}
		}
		one.done(failure);
		this.forget(one);
	}

	private keep({ key, ids, due }: Waiting): void {
		try {
			this.store().setItem(key, JSON.stringify({ ids, due } satisfies Kept));
		} catch {
			// The storage is full: this page alone knows of it.
		}
	}

	private forget(one: Waiting): void {
		this.store().removeItem(one.key);
		this.set(this.waiting.filter((other) => other !== one));
	}

	private set(waiting: Waiting[]): void {
		this.waiting = waiting;
		this.ids = new Set(waiting.flatMap(({ ids }) => ids));
		for (const watcher of this.watchers) watcher();
	}
}
