/** An input that was asked for takes no keys before it is drawn; nobody waits longer for it than this. */
const LONGEST = 2_000;

/** Keeps what is typed from now on until the function that it gives is called, which hands it over. */
export function typeAhead(): () => string {
	let text = "";
	const onKey = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		if (event.key.length === 1) text += event.key;
		else if (event.key === "Backspace") text = text.slice(0, -1);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const end = () => document.removeEventListener("keydown", onKey, true);
	document.addEventListener("keydown", onKey, true);
	setTimeout(end, LONGEST);
	return () => {
		end();
		const had = text;
		text = "";
		return had;
	};
}
