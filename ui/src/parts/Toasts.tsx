import { X } from "lucide-react";
import { useSyncExternalStore } from "react";

interface Toast {
	id: number;
	text: string;
	undo?: () => void;
	turn: number;
}

let toasts: Toast[] = [];
let last = 0;
let turns = 0;
const watchers = new Set<() => void>();
const set = (next: Toast[]) => {
	toasts = next;
	for (const watch of watchers) watch();
};

/** Numbers what the user does. The server may answer in another order. */
export const nextTurn = () => ++turns;

/** Shows a short message. With undo it stays longer; turn says which action it would undo, the latest if left out. */
export function toast(text: string, undo?: () => void, turn = nextTurn()): void {
	const id = ++last;
	set([...toasts.slice(-2), { id, text, undo, turn }]);
	setTimeout(() => set(toasts.filter((had) => had.id !== id)), undo ? 10_000 : 5_000);
}

/** Copies a text and confirms it. Without the clipboard API (plain http) it uses a hidden field. */
/** Shows why something failed. */
export const toastError = (error: unknown): void => toast(error instanceof Error ? error.message : String(error));

export function copy(text: string, what: string): void {
	const done = () => toast(`${what} copied.`);
	if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => byHand(text, done));
	else byHand(text, done);
}

function byHand(text: string, done: () => void): void {
	const area = document.createElement("textarea");
	area.value = text;
	area.className = "offscreen";
	(document.querySelector('[role="dialog"]') ?? document.body).append(area);
	area.select();
	if (document.execCommand("copy")) done();
	area.remove();
}

/** Elements that stay usable beside a dialog: the toasts with their Undo. */
export const besideDialogs = () => document.querySelectorAll(".toasts");

/** Undoes the last action that can be undone, which is not always the one that was answered last. */
export function undoLast(): void {
	const [offer] = toasts.filter(({ undo }) => undo).sort((a, b) => b.turn - a.turn);
	if (offer) take(offer);
}
function take({ id, undo }: Toast): void {
	set(toasts.filter((had) => had.id !== id));
	undo?.();
}

export function Toasts() {
	const shown = useSyncExternalStore(
		(watch) => {
			watchers.add(watch);
			return () => {
				watchers.delete(watch);
			};
		},
		() => toasts,
	);
	return (
		<div className="toasts" role="status" aria-live="polite">
			{shown.map((one) => (
				<div className="toast" key={one.id}>
					<span>{one.text}</span>
					{one.undo && (
						<button type="button" className="link" onClick={() => take(one)}>
							Undo <kbd aria-hidden>z</kbd>
						</button>
					)}
					<button type="button" className="icon" aria-label="Dismiss" onClick={() => take({ ...one, undo: undefined })}>
						<X size={14} aria-hidden />
					</button>
				</div>
			))}
		</div>
	);
}
