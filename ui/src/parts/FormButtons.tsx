interface Props {
	/** What the button says that sends the form. */
	verb: string;
	busy: boolean;
	/** Closes the form and drops what was typed. */
	onCancel: () => void;
}

/** The end of a form in a drawer: Cancel, and the button that sends it. */
export function FormButtons({ verb, busy, onCancel }: Props) {
	return (
		<div className="buttons">
			<button type="button" onClick={onCancel}>
				Cancel
			</button>
			<button type="submit" className="primary" disabled={busy}>
				{verb}
			</button>
		</div>
	);
}
