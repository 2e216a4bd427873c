/** How long keys are collected for an input that is not drawn yet, in milliseconds. */
const LONGEST = 2_000;

/** Collects typed keys until the returned function is called, which returns them. */
export function typeAhead(longest = LONGEST): () => string {
	let text = "";
	const onKey = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		if (event.key.length === 1) text += event.key;
		else if (event.key === "Backspace") text = text.slice(0, -1);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	// At the window, before the shortcuts hear the keys: "g s" in a name leads nowhere.
	const end = () => window.removeEventListener("keydown", onKey, true);
	window.addEventListener("keydown", onKey, true);
	setTimeout(end, longest);
	return () => {
		end();
		const had = text;
		text = "";
		return had;
	};
}
