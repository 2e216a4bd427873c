import { useEffect, useState } from "react";
import { useChange } from "../data";
import { SignInDocument, type ViewerFieldsFragment } from "../gql/generated";
import { Field, FormError } from "../parts/Field";
import { Mark } from "../parts/Mark";

export type Done = (viewer: ViewerFieldsFragment) => void;

export function SignIn({ onDone }: { onDone: Done }) {
	useEffect(() => {
		document.title = "Sign in · Outreach";
	}, []);
	return (
		<main className="sign-in">
			<Mark size={40} />
			<h1>Sign in to Outreach</h1>
			<SignInForm onDone={onDone} />
		</main>
	);
}

export function SignInForm({ email: known = "", onDone }: { email?: string; onDone: Done }) {
	const [email, setEmail] = useState(known);
	const [password, setPassword] = useState("");
	const [code, setCode] = useState<string | null>(null);
	const signIn = useChange(SignInDocument);
	const send = () =>
		signIn.mutate(
			{ email, password, code },
			{
				onSuccess: (data) => onDone(data.signIn),
				onError: (error) => {
					if (error.code === "totp_required") setCode("");
				},
			},
		);
	const error = signIn.error?.code === "totp_required" ? null : signIn.error;
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<Field label="E-mail address" at="/email" error={error}>
				{(wired) => (
					<input
						{...wired}
						type="email"
						autoComplete="username"
						required
						// biome-ignore lint/a11y/noAutofocus: the page is for nothing else
						autoFocus={!known}
						value={email}
						onChange={(event) => setEmail(event.target.value)}
					/>
				)}
			</Field>
			<Field label="Password" at="/password" error={error}>
				{(wired) => (
					<input
						{...wired}
						type="password"
						autoComplete="current-password"
						required
						data-autofocus={!!known}
						value={password}
						onChange={(event) => setPassword(event.target.value)}
					/>
				)}
			</Field>
			{code !== null && <CodeField value={code} onChange={setCode} />}
			<FormError error={error} />
			<button type="submit" className="primary full" disabled={signIn.isPending}>
				{signIn.isPending ? "Signing in…" : "Sign in"}
			</button>
		</form>
	);
}

/** The second factor: a code of an authenticator app, or a recovery code. */
export function CodeField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
	return (
		<Field label="Code" hint="From your authenticator app, or a recovery code" at="/code" error={null}>
			{(wired) => (
				<input
					{...wired}
					type="text"
					autoComplete="one-time-code"
					required
					// biome-ignore lint/a11y/noAutofocus: it appears because it has to be filled
					autoFocus
					value={value}
					onChange={(event) => onChange(event.target.value)}
				/>
			)}
		</Field>
	);
}
