import { useEffect, useState } from "react";
import { useChange, useOne } from "../data";
import { AcceptInvitationDocument, InvitationDocument } from "../gql/generated";
import { Field, FormError } from "../parts/Field";
import { Mark } from "../parts/Mark";
import { Failure, Skeleton } from "../parts/states";
import { CodeField, type Done } from "./SignIn";

/** The page of an invitation link: /join#TOKEN. */
export default function Join({ token, onDone }: { token: string; onDone: Done }) {
	const { data, error, refetch } = useOne(InvitationDocument, { token }, { live: false });
	const [password, setPassword] = useState("");
	const [code, setCode] = useState<string | null>(null);
	const accept = useChange(AcceptInvitationDocument);
	useEffect(() => {
		document.title = "Join · Outreach";
	}, []);
	if (!data)
		return (
			<main className="sign-in">
				{error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />}
			</main>
		);
	const { workspaceName, email } = data.invitation;
	const refused = accept.error?.code === "totp_required" ? null : accept.error;
	return (
		<main className="sign-in">
			<Mark size={40} />
			<h1>Join {workspaceName}</h1>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					accept.mutate(
						{ token, password, code },
						{
							onSuccess: (answer) => onDone(answer.acceptInvitation),
							onError: (failure) => {
								if (failure.code === "totp_required") setCode("");
							},
						},
					);
				}}
			>
				<p>
					You are invited as <b>{email}</b>.
				</p>
				<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
				<Field
					label="Password"
					hint="That of your account, or a new one with at least 12 characters"
					at="/password"
					error={refused}
				>
					{(wired) => (
						<input
							{...wired}
							type="password"
							autoComplete="new-password"
							required
							value={password}
							onChange={(event) => setPassword(event.target.value)}
						/>
					)}
				</Field>
				{code !== null && <CodeField value={code} onChange={setCode} />}
				<FormError error={refused} />
				<button type="submit" className="primary full" disabled={accept.isPending}>
					{accept.isPending ? "Joining…" : "Join"}
				</button>
			</form>
		</main>
	);
}
