import { X } from "lucide-react";
import { useSyncExternalStore } from "react";

interface Toast {
	id: number;
	text: string;
	undo?: () => void;
	turn: number;
	failure: boolean;
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
	add({ text, undo, turn, failure: false });
}

function add(one: Omit<Toast, "id">): void {
	const id = ++last;
	set([...toasts.slice(-2), { id, ...one }]);
	setTimeout(() => set(toasts.filter((had) => had.id !== id)), one.undo ? 10_000 : 5_000);
}

/** Shows why something failed. */
export const toastError = (error: unknown): void =>
	add({ text: error instanceof Error ? error.message : String(error), turn: nextTurn(), failure: true });

/** Copies a text and confirms it. Without the clipboard API (plain http) it uses a hidden field. */
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

/** The last action that can be undone, which is not always the one that was answered last. */
const undoable = (all: Toast[]) => all.filter(({ undo }) => undo).sort((a, b) => b.turn - a.turn)[0];

export function undoLast(): void {
	const offer = undoable(toasts);
	if (offer) take(offer);
}

function take({ id, undo }: Toast): void {
	set(toasts.filter((had) => had.id !== id));
	undo?.();
}

/** The newest toast, the one that "z" would undo, and failures. They take room at the end of the page and cover nothing. */
export function Toasts() {
	const all = useSyncExternalStore(
		(watch) => {
			watchers.add(watch);
			return () => {
				watchers.delete(watch);
			};
		},
		() => toasts,
	);
	const offer = undoable(all);
	const shown = all.filter((one) => one === all.at(-1) || one === offer || one.failure);
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
