import * as Ariakit from "@ariakit/react/dialog";
import { useState } from "react";
import { useChange } from "../data";
import { ConfirmPasswordDocument } from "../gql/generated";
import { Field, FormError } from "./Field";
import { heading } from "./heading";
import { besideDialogs } from "./Toasts";

/** The dialog that asks for the password again. */
export default function AskPassword({ email, onAnswer }: { email: string; onAnswer: (confirmed: boolean) => void }) {
	const [password, setPassword] = useState("");
	const confirm = useChange(ConfirmPasswordDocument);
	return (
		<Ariakit.Dialog
			open
			onClose={() => onAnswer(false)}
			getPersistentElements={besideDialogs}
			preventBodyScroll={false}
			className="dialog"
			backdrop={<div className="backdrop" />}
		>
			<Ariakit.DialogHeading render={heading}>Enter your password</Ariakit.DialogHeading>
			<p className="faint">This change needs your password again. It stays valid for 15 minutes.</p>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					confirm.mutate({ password }, { onSuccess: () => onAnswer(true) });
				}}
			>
				<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
				<Field label="Password" at="/password" error={confirm.error}>
					{(wired) => (
						<input
							{...wired}
							type="password"
							autoComplete="current-password"
							required
							data-autofocus
							value={password}
							onChange={(event) => setPassword(event.target.value)}
						/>
					)}
				</Field>
				<FormError error={confirm.error} />
				<div className="buttons">
					<Ariakit.DialogDismiss>Cancel</Ariakit.DialogDismiss>
					<button type="submit" className="primary" disabled={confirm.isPending}>
						Continue
					</button>
				</div>
			</form>
		</Ariakit.Dialog>
	);
}
