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
	/** What has to be typed before the button works, for acts without return. */
	typed?: string;
	/** The act can be taken back by hand: its button is not red. */
	safe?: boolean;
	/** Nothing is there to be done. */
	idle?: boolean;
	act: () => Promise<unknown>;
	onClose: () => void;
	children: ReactNode;
}

/** Says in numbers what a dangerous act does, then asks. */
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
							Type <b>{typed}</b> to go on
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
