import type { Piece } from "../../logic/markWords";

/** Pieces of a text, some of them marked. */
export function Marked({ pieces }: { pieces: Piece[] }) {
	let from = 0;
	return pieces.map(({ text, marked }) => {
		const key = from;
		from += text.length;
		return marked ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
	});
}
