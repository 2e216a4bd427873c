type Value = string | number | null | undefined;

/** A copy of the rows in order: numbers by size, texts by the alphabet without regard to accents, nothing last. */
export function sortRows<N>(rows: N[], value: (row: N) => Value, down: boolean): N[] {
	const order = (a: Value, b: Value) => {
		if (typeof a === "number" && typeof b === "number") return a - b;
		return String(a).localeCompare(String(b), "en", { sensitivity: "base", numeric: true });
	};
	const none = (of: Value) => of === null || of === undefined || of === "";
	return [...rows].sort((one, other) => {
		const a = value(one),
			b = value(other);
		if (none(a) || none(b)) return Number(none(a)) - Number(none(b));
		return down ? order(b, a) : order(a, b);
	});
}
