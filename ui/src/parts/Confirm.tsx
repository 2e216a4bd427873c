import * as Ariakit from "@ariakit/react/dialog";
import { type ReactNode, useState } from "react";
import type { ApiError } from "../api";
import { FormError } from "./Field";
import { heading } from "./heading";
import { besideDialogs } from "./Toasts";

interface Props {
	title: string;
	/** The verb on the button, such as "Delete prospect". */
	verb: string;
	/** The word to type before the button works, for actions that cannot be undone. */
	typed?: string;
	/** The action is not destructive: its button is not red. */
	safe?: boolean;
	/** Disables the button, as there is nothing to do. */
	idle?: boolean;
	act: () => Promise<unknown>;
	onClose: () => void;
	children: ReactNode;
}

/** Asks before a dangerous action, after saying in numbers what it does. */
export function Confirm({ title, verb, typed, idle = false, safe = false, act, onClose, children }: Props) {
	const [text, setText] = useState("");
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState<ApiError | null>(null);
	const run = async () => {
		setBusy(true);
		try {
			await act();
			onClose();
		} catch (failure) {
			setError(failure as ApiError);
			setBusy(false);
		}
	};
	return (
		<Ariakit.Dialog
			open
			onClose={onClose}
			getPersistentElements={besideDialogs}
			role="alertdialog"
			preventBodyScroll={false}
			className="dialog"
			backdrop={<div className="backdrop" />}
		>
			<Ariakit.DialogHeading render={heading}>{title}</Ariakit.DialogHeading>
			<div className="prose">{children}</div>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run();
				}}
			>
				{typed && (
					<label className="field">
						<span>
							Type <b>{typed}</b> to confirm
						</span>
						<input value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" />
					</label>
				)}
				<FormError error={error} />
				<div className="buttons">
					<Ariakit.DialogDismiss>Cancel</Ariakit.DialogDismiss>
					<button
						type="submit"
						className={safe ? "primary" : "danger"}
						disabled={busy || idle || (typed !== undefined && text !== typed)}
					>
						{busy ? "Working…" : verb}
					</button>
				</div>
			</form>
		</Ariakit.Dialog>
	);
}
