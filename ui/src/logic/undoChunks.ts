import { CHUNK } from "./work";

/** A suppression, and the enrollments that it stopped. */
export interface Made {
	id: string;
	stopped: string[];
}

/**
 * The requests that take suppressions back, each with at most CHUNK suppressions and CHUNK enrollments. A suppression
 * is in the request of its first enrollments; those that do not fit follow in requests of their own.
 */
export function undoChunks(made: Made[], chunk = CHUNK): { ids: string[]; stopped: string[] }[] {
	let last: { ids: string[]; stopped: string[] } = { ids: [], stopped: [] };
	const chunks: (typeof last)[] = [];
	const room = (list: "ids" | "stopped") => {
		if (chunks.length === 0 || last[list].length === chunk) {
			last = { ids: [], stopped: [] };
			chunks.push(last);
		}
		return last[list];
	};
	for (const { id, stopped } of made) {
		room("ids").push(id);
		for (const enrollment of stopped) room("stopped").push(enrollment);
	}
	return chunks;
}
