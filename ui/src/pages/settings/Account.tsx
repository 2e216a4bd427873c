import { useState } from "react";
import { useChange } from "../../data";
import { ChangePasswordDocument } from "../../gql/generated";
import { Field, FormError } from "../../parts/Field";
import { Look } from "../../parts/Look";
import { toast } from "../../parts/Toasts";
import TwoFactor from "../../parts/TwoFactor";
import { useViewer } from "../../parts/viewer";
import { Sessions } from "./Sessions";

const empty = { current: "", next: "", again: "" };

/** The account of the signed-in user. */
export function Account() {
	const { email, role, workspaceName } = useViewer();
	const [values, setValues] = useState(empty);
	const [differ, setDiffer] = useState(false);
	const change = useChange(ChangePasswordDocument, () =>
		toast("Password changed. You are signed out everywhere else."),
	);
	const set = (part: Partial<typeof empty>) => {
		setValues({ ...values, ...part });
		setDiffer(false);
	};
	const send = (form: HTMLFormElement) => {
		if (values.next !== values.again) {
			setDiffer(true);
			form.querySelector<HTMLElement>("[name=again]")?.focus();
			return;
		}
		change.mutate({ currentPassword: values.current, newPassword: values.next }, { onSuccess: () => setValues(empty) });
	};
	const { error } = change;
	return (
		<div className="panel">
			<section className="section" aria-labelledby="account">
				<h2 id="account">Account</h2>
				<p>
					Signed in as <b>{email}</b>, {role} of {workspaceName}.
				</p>
			</section>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send(event.currentTarget);
				}}
			>
				<h3 className="form-title">Change password</h3>
				<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
				<Field label="Current password" at="/current_password" error={error}>
					{(wired) => (
						<input
							{...wired}
							type="password"
							name="current"
							autoComplete="current-password"
							required
							value={values.current}
							onChange={(event) => set({ current: event.target.value })}
						/>
					)}
				</Field>
				<div className="two">
					<Field label="New password" at="/new_password" error={error} hint="At least 12 characters">
						{(wired) => (
							<input
								{...wired}
								type="password"
								name="next"
								autoComplete="new-password"
								required
								value={values.next}
								onChange={(event) => set({ next: event.target.value })}
							/>
						)}
					</Field>
					<Field label="Repeat new password" fault={differ ? "The passwords do not match." : null}>
						{(wired) => (
							<input
								{...wired}
								type="password"
								name="again"
								autoComplete="new-password"
								required
								value={values.again}
								onChange={(event) => set({ again: event.target.value })}
							/>
						)}
					</Field>
				</div>
				<p className="faint">This signs you out in every other browser. You stay signed in here.</p>
				<FormError error={error} />
				<div className="buttons start">
					<button type="submit" className="primary" disabled={change.isPending}>
						{change.isPending ? "Changing…" : "Change password"}
					</button>
				</div>
			</form>
			<TwoFactor />
			<Look />
			<Sessions />
		</div>
	);
}
