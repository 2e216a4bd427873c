import { useState } from "react";
import { client, refresh, useChange } from "../data";
import { ConfirmTotpDocument, DisableTotpDocument, StartTotpDocument } from "../gql/generated";
import { Field, FormError } from "./Field";
import { CodeBox } from "./Secret";
import { toast } from "./Toasts";
import { useViewer } from "./viewer";

/** Turns two-factor sign-in on and off. */
export default function TwoFactor() {
	const { totp } = useViewer();
	const [code, setCode] = useState("");
	const start = useChange(StartTotpDocument);
	const confirm = useChange(ConfirmTotpDocument);
	const disable = useChange(DisableTotpDocument, () => toast("Two-factor sign-in is off."));
	const done = () => {
		void client.invalidateQueries({ queryKey: ["one", "Viewer"] });
		void refresh();
	};
	const setup = start.data?.startTotp;
	const recovery = confirm.data?.confirmTotp;
	return (
		<section className="section" aria-labelledby="two-factor">
			<h2 id="two-factor">Two-factor sign-in</h2>
			{recovery && (
				<div className="note good" role="status">
					<div className="grow section">
						<p>Two-factor sign-in is on. Keep these recovery codes; each works once, without your device.</p>
						<CodeBox label="Recovery codes" code={recovery.join("\n")} />
					</div>
				</div>
			)}
			{totp && !recovery && (
				<div className="line">
					<span>On: signing in needs a code of your authenticator app.</span>
					<button type="button" onClick={() => disable.mutate({}, { onSuccess: done })}>
						Turn off
					</button>
				</div>
			)}
			{!totp && !setup && (
				<div className="line">
					<span>Off: signing in needs your password alone.</span>
					<button type="button" onClick={() => start.mutate({})}>
						Turn on
					</button>
				</div>
			)}
			{setup && !recovery && (
				<form
					onSubmit={(event) => {
						event.preventDefault();
						confirm.mutate({ code }, { onSuccess: done });
					}}
				>
					<p>Add this key to your authenticator app, then enter the code that it shows.</p>
					<CodeBox label="Key" code={setup.secret} />
					<Field label="Code" at="/code" error={confirm.error}>
						{(wired) => (
							<input
								{...wired}
								autoComplete="one-time-code"
								inputMode="numeric"
								required
								value={code}
								onChange={(event) => setCode(event.target.value)}
							/>
						)}
					</Field>
					<div className="buttons start">
						<button type="submit" className="primary" disabled={confirm.isPending}>
							Confirm
						</button>
					</div>
				</form>
			)}
			<FormError error={start.error ?? confirm.error ?? disable.error} />
		</section>
	);
}
