interface Props {
	picked: number;
	done: boolean;
	all: () => void;
	clear: () => void;
	settle: () => void;
}

/** What is done with several replies at once. "x" or a click with Ctrl selects one. */
export function Bulk({ picked, done, all, clear, settle }: Props) {
	return (
		<div className="bulk">
			{picked === 0 ? (
				<button type="button" className="link" onClick={all}>
					Select all
				</button>
			) : (
				<>
					<span>{picked} selected</span>
					<button type="button" onClick={settle}>
						{done ? "Not done" : "Done"}
					</button>
					<button type="button" className="link" onClick={clear}>
						Clear
					</button>
				</>
			)}
		</div>
	);
}
