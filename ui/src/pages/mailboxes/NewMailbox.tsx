import { useEffect, useRef, useState } from "react";
import { useChange } from "../../data";
import {
	CreateMailboxDocument,
	type MailboxInput,
	MailServersDocument,
	type MailServersQuery,
} from "../../gql/generated";
import { triedText } from "../../logic/tried";
import { Drawer } from "../../parts/Drawer";
import { Field, FormError } from "../../parts/Field";
import { toast } from "../../parts/Toasts";
import { ConnectAccount, ConnectByClient, ConnectProvider } from "./ConnectProvider";
import { MailboxForm } from "./MailboxForm";

type Found = MailServersQuery["mailServers"];
type Server = NonNullable<Found["smtp"]>;

const address = (s: Server) =>
	`${s.host}:${s.port}, ${s.security === "none" ? "not encrypted" : s.security.toUpperCase()}`;

/** Finds the servers of an address. A password is asked for only when it is needed, and sent only to the servers shown. */
export function NewMailbox({ onClose, onSaved }: { onClose: () => void; onSaved: (id: string) => void }) {
	const [email, setEmail] = useState("");
	const [byHand, setByHand] = useState(false);
	const find = useChange(MailServersDocument);
	const found = find.data?.mailServers;
	const next = useRef<HTMLDivElement>(null);
	// The button that had the focus is gone.
	useEffect(() => {
		if (found) next.current?.querySelector<HTMLElement>("input, button:not(:disabled)")?.focus();
	}, [found]);
	if (byHand) return <MailboxForm start={{ email, ...found }} onClose={onClose} onSaved={onSaved} />;
	return (
		<Drawer title="Connect a mailbox" onClose={onClose}>
			<ConnectProvider />
			<form
				onSubmit={(event) => {
					event.preventDefault();
					find.mutate({ email });
				}}
			>
				<Field label="E-mail address" at="/email" error={find.error}>
					{(wired) => (
						<input
							{...wired}
							type="email"
							required
							data-autofocus
							autoComplete="off"
							value={email}
							onChange={(event) => {
								setEmail(event.target.value);
								if (found) find.reset();
							}}
						/>
					)}
				</Field>
				<FormError error={find.error} />
				{!found && (
					<div className="buttons start">
						<button type="submit" className="primary" disabled={find.isPending}>
							{find.isPending ? "Looking for the servers…" : "Continue"}
						</button>
						<button type="button" onClick={() => setByHand(true)}>
							Enter servers by hand
						</button>
					</div>
				)}
			</form>
			{found && (
				<div ref={next}>
					<Servers key={email} email={email} found={found} onSaved={onSaved} />
					<div className="buttons start">
						<button
							type="button"
							className={found.provider === "custom" && !(found.smtp && found.imap) ? "primary" : ""}
							onClick={() => setByHand(true)}
						>
							Enter servers by hand
						</button>
					</div>
				</div>
			)}
		</Drawer>
	);
}

function Servers({ email, found, onSaved }: { email: string; found: Found; onSaved: (id: string) => void }) {
	const { smtp, imap, provider } = found;
	if (provider !== "custom")
		return (
			<section className="section" aria-label="Servers">
				<p>This is a mailbox of {found.providerName}.</p>
				<ConnectAccount provider={provider} email={email} />
				{provider === "microsoft" && <ConnectByClient email={email} onSaved={onSaved} />}
				{provider === "google" && (
					<Login
						label="App password"
						hint="Or use a password that you make in the settings of the Google account."
						input={(password) => ({ email, provider, smtp: { password } })}
						onSaved={onSaved}
						second
					/>
				)}
			</section>
		);
	return (
		<section className="section" aria-label="Servers">
			<p>
				{smtp && imap
					? found.providerName
						? `This is a mailbox of ${found.providerName}. These are its servers.`
						: "These servers answered. Check that they are yours before you enter the password."
					: "The servers were not found."}
			</p>
			{smtp && imap ? (
				<>
					<dl className="facts">
						<dt>SMTP</dt>
						<dd>{address(smtp)}</dd>
						<dt>IMAP</dt>
						<dd>{address(imap)}</dd>
					</dl>
					<Login
						label={found.password === "app" ? "App password" : "Password"}
						hint={
							found.password === "app"
								? `${found.providerName} accepts a password that you make for this in the settings of the account.`
								: undefined
						}
						input={(password) => ({
							email,
							smtp: { ...smtp, username: email, password },
							imap: { ...imap, username: email, password },
						})}
						onSaved={onSaved}
					/>
				</>
			) : null}
			{!found.providerName && <ConnectByClient email={email} onSaved={onSaved} />}
			{!found.providerName && <Tried tried={found.tried} />}
		</section>
	);
}

function Login({
	label,
	hint,
	input,
	onSaved,
	second = false,
}: {
	label: string;
	hint: string | undefined;
	input: (password: string) => MailboxInput;
	onSaved: (id: string) => void;
	/** There is a better way, and its button is the primary one. */
	second?: boolean;
}) {
	const [password, setPassword] = useState("");
	const create = useChange(CreateMailboxDocument, ({ createMailbox: box }) => toast(`${box.email} connected.`));
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				create.mutate({ input: input(password) }, { onSuccess: (data) => onSaved(data.createMailbox.id) });
			}}
		>
			<Field label={label} at="/smtp/password" error={create.error} hint={hint}>
				{(wired) => (
					<input
						{...wired}
						type="password"
						required
						autoComplete="new-password"
						value={password}
						onChange={(event) => setPassword(event.target.value)}
					/>
				)}
			</Field>
			<FormError error={create.error} />
			<div className="buttons start">
				<button type="submit" className={second ? "" : "primary"} disabled={create.isPending}>
					{create.isPending ? "Checking both servers…" : "Test and connect"}
				</button>
			</div>
		</form>
	);
}

/** What was tried, with the reason why it cannot be used. */
function Tried({ tried }: { tried: Found["tried"] }) {
	if (tried.length === 0) return null;
	return (
		<details>
			<summary>
				{triedText(tried)} <span className="link">Show</span>
			</summary>
			<ul className="lines tried">
				{tried.map((one) => (
					<li key={`${one.protocol} ${one.source} ${one.host}:${one.port}`}>
						<span>
							{one.protocol.toUpperCase()} {one.host}:{one.port}
						</span>
						<span className={one.failure ? "faint" : "good-text"}>{one.failure ?? "answered"}</span>
					</li>
				))}
			</ul>
		</details>
	);
}
