import { useState } from "react";
import type { ApiError } from "../../api";
import { useChange } from "../../data";
import { SecurityValues } from "../../gql/enums";
import {
	CreateMailboxDocument,
	type MailboxFieldsFragment,
	type MailServerInput,
	type Security,
	UpdateMailboxDocument,
} from "../../gql/generated";
import { Drawer } from "../../parts/Drawer";
import { Field, FormError } from "../../parts/Field";
import { FormButtons } from "../../parts/FormButtons";
import { toast } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";

interface Server {
	host: string;
	port: string;
	username: string;
	security: Security;
}
interface Values {
	email: string;
	displayName: string;
	smtp: Server;
	imap: Server;
	dailyLimit: string;
	minGapSeconds: string;
	rampUp: boolean;
	rampStart: string;
	rampIncrease: string;
	signatureHtml: string;
	/** One name a line; empty for the usual folders. */
	folders: string;
}
type Found = Omit<Server, "username" | "port"> & { port: number };
interface Props {
	mailbox?: MailboxFieldsFragment;
	/** What is known of a new mailbox. */
	start?: { email: string; smtp?: Found | null; imap?: Found | null };
	onClose: () => void;
	onSaved: (id: string) => void;
}
const serverOf = (s: (Found & { username?: string }) | null | undefined, port: string, security: Security): Server =>
	s ? { username: "", ...s, port: String(s.port) } : { host: "", port, username: "", security };

/** Connecting logs in to both servers before anything is stored, and says which failed and how. */
export function MailboxForm({ mailbox: m, start, onClose, onSaved }: Props) {
	const { values, set, clear } = useDraft<Values>(`mailbox.${m?.id ?? "new"}`, {
		email: m?.email ?? start?.email ?? "",
		displayName: m?.displayName ?? "",
		smtp: serverOf(m?.smtp ?? start?.smtp, "587", "starttls"),
		imap: serverOf(m?.imap ?? start?.imap, "993", "tls"),
		dailyLimit: String(m?.dailyLimit ?? 50),
		minGapSeconds: String(m?.minGapSeconds ?? 60),
		rampUp: m ? m.rampUp !== null : true, // suggested for a new mailbox
		rampStart: String(m?.rampUp?.start ?? 10),
		rampIncrease: String(m?.rampUp?.increase ?? 5),
		signatureHtml: m?.signatureHtml ?? "",
		folders: m?.folders?.join("\n") ?? "",
	});
	// Passwords are never written to the tab's storage.
	const [passwords, setPasswords] = useState({ smtp: "", imap: "" });
	const [same, setSame] = useState(!m);
	// The servers and the address of a grant are the provider's.
	const granted = !!m && m.auth !== "password";
	const saved = (box: MailboxFieldsFragment) => {
		clear();
		toast(`${box.email} connected.`);
	};
	const create = useChange(CreateMailboxDocument, (data) => saved(data.createMailbox)),
		update = useChange(UpdateMailboxDocument, (data) => saved(data.updateMailbox));
	const error = create.error ?? update.error,
		busy = create.isPending || update.isPending;
	const wire = (which: "smtp" | "imap"): MailServerInput => {
		const password = which === "imap" && same ? passwords.smtp : passwords[which];
		return {
			...values[which],
			username: values[which].username || values.email,
			port: Number(values[which].port),
			...(password ? { password } : {}),
		};
	};
	const names = (values.folders ?? "").split("\n").filter((name) => name.trim());
	const send = () => {
		const input = {
			displayName: values.displayName || null,
			...(granted ? {} : { email: values.email, smtp: wire("smtp"), imap: wire("imap") }),
			dailyLimit: Number(values.dailyLimit),
			minGapSeconds: Number(values.minGapSeconds),
			rampUp: values.rampUp ? { start: Number(values.rampStart), increase: Number(values.rampIncrease) } : null,
			signatureHtml: values.signatureHtml || null,
			folders: names.length ? names : null,
		};
		if (m) update.mutate({ id: m.id, input }, { onSuccess: () => onSaved(m.id) });
		else create.mutate({ input }, { onSuccess: (data) => onSaved(data.createMailbox.id) });
	};
	return (
		<Drawer title={m ? "Edit mailbox" : "Connect a mailbox"} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<div className="two">
					<Field label="E-mail address" at="/email" error={error}>
						{(wired) => (
							<input
								{...wired}
								type="email"
								required
								readOnly={granted}
								data-autofocus
								autoComplete="off"
								value={values.email}
								onChange={(event) => set({ email: event.target.value })}
							/>
						)}
					</Field>
					<Field label="Sender name" at="/display_name" error={error}>
						{(wired) => (
							<input
								{...wired}
								autoComplete="off"
								value={values.displayName}
								onChange={(event) => set({ displayName: event.target.value })}
							/>
						)}
					</Field>
				</div>
				{!granted && (
					<>
						<ServerFields
							title="Sending (SMTP)"
							at="/smtp"
							value={values.smtp}
							error={error}
							onChange={(smtp) => set({ smtp })}
							fallback={values.email}
							password={passwords.smtp}
							setPassword={(smtp) => setPasswords({ ...passwords, smtp })}
							known={!!m}
						/>
						<ServerFields
							title="Reading (IMAP)"
							at="/imap"
							value={values.imap}
							error={error}
							onChange={(imap) => set({ imap })}
							fallback={values.email}
							password={passwords.imap}
							setPassword={(imap) => setPasswords({ ...passwords, imap })}
							known={!!m}
							hidePassword={same}
						/>
						<label className="check">
							<input type="checkbox" checked={same} onChange={() => setSame(!same)} /> Use the same password for IMAP
						</label>
					</>
				)}
				<div className="two">
					<Field label="Daily limit" at="/daily_limit" error={error}>
						{(wired) => (
							<input
								{...wired}
								type="number"
								min={0}
								required
								value={values.dailyLimit}
								onChange={(event) => set({ dailyLimit: event.target.value })}
							/>
						)}
					</Field>
					<Field label="Minimum gap (seconds)" at="/min_gap_seconds" error={error}>
						{(wired) => (
							<input
								{...wired}
								type="number"
								min={0}
								max={86400}
								required
								value={values.minGapSeconds}
								onChange={(event) => set({ minGapSeconds: event.target.value })}
							/>
						)}
					</Field>
				</div>
				<label className="check">
					<input type="checkbox" checked={values.rampUp} onChange={() => set({ rampUp: !values.rampUp })} /> Ramp up:
					begin with few messages and send more each day
				</label>
				{values.rampUp && (
					<div className="two">
						<Field label="First day" at="/ramp_up/start" error={error} hint="Messages">
							{(wired) => (
								<input
									{...wired}
									type="number"
									min={1}
									required
									value={values.rampStart}
									onChange={(event) => set({ rampStart: event.target.value })}
								/>
							)}
						</Field>
						<Field
							label="More each day"
							at="/ramp_up/increase"
							error={error}
							hint="For each day on which it sent, up to the daily limit"
						>
							{(wired) => (
								<input
									{...wired}
									type="number"
									min={1}
									required
									value={values.rampIncrease}
									onChange={(event) => set({ rampIncrease: event.target.value })}
								/>
							)}
						</Field>
					</div>
				)}
				<Field label="Signature (HTML)" at="/signature_html" error={error}>
					{(wired) => (
						<textarea
							{...wired}
							className="code"
							value={values.signatureHtml}
							onChange={(event) => set({ signatureHtml: event.target.value })}
						/>
					)}
				</Field>
				<Field
					label="Folders to read"
					at="/folders"
					error={error}
					fault={error?.fields.find(({ pointer }) => pointer.startsWith("/folders"))?.detail}
					hint={`One name a line. Empty: the inbox and the folder for junk${m?.provider === "google" ? ", and All Mail" : ""}`}
				>
					{(wired) => (
						<textarea
							{...wired}
							rows={2}
							value={values.folders ?? ""}
							onChange={(event) => set({ folders: event.target.value })}
						/>
					)}
				</Field>
				<FormError error={error} />
				<p className="faint" role="status">
					{busy && !granted ? "Checking both servers. This can take 30 seconds…" : ""}
				</p>
				<FormButtons
					verb={granted ? "Save" : m ? "Test and save" : "Test and connect"}
					busy={busy}
					onCancel={() => {
						clear();
						onClose();
					}}
				/>
			</form>
		</Drawer>
	);
}

interface ServerProps {
	title: string;
	at: string;
	value: Server;
	error: ApiError | null;
	onChange: (server: Server) => void;
	fallback: string;
	password: string;
	setPassword: (text: string) => void;
	known: boolean;
	hidePassword?: boolean;
}

function ServerFields({
	title,
	at,
	value,
	error,
	onChange,
	fallback,
	password,
	setPassword,
	known,
	hidePassword,
}: ServerProps) {
	const whole = error?.fields.find(({ pointer }) => pointer === at)?.detail;
	return (
		<fieldset>
			<legend>{title}</legend>
			{whole && (
				<p className="note bad" role="alert">
					{whole}
				</p>
			)}
			<div className="three">
				<Field label="Server" at={`${at}/host`} error={error}>
					{(wired) => (
						<input
							{...wired}
							required
							autoComplete="off"
							placeholder="mail.example.com"
							value={value.host}
							onChange={(event) => onChange({ ...value, host: event.target.value })}
						/>
					)}
				</Field>
				<Field label="Port" at={`${at}/port`} error={error}>
					{(wired) => (
						<input
							{...wired}
							required
							inputMode="numeric"
							pattern="[0-9]+"
							value={value.port}
							onChange={(event) => onChange({ ...value, port: event.target.value })}
						/>
					)}
				</Field>
				<Field label="Security" at={`${at}/security`} error={error}>
					{(wired) => (
						<select
							{...wired}
							value={value.security}
							onChange={(event) => onChange({ ...value, security: event.target.value as Security })}
						>
							{SecurityValues.map((security) => (
								<option key={security} value={security}>
									{security === "none" ? "None" : security.toUpperCase()}
								</option>
							))}
						</select>
					)}
				</Field>
			</div>
			<div className="two">
				<Field label="User name" at={`${at}/username`} error={error}>
					{(wired) => (
						<input
							{...wired}
							autoComplete="off"
							placeholder={fallback}
							value={value.username}
							onChange={(event) => onChange({ ...value, username: event.target.value })}
						/>
					)}
				</Field>
				{!hidePassword && (
					<Field
						label="Password"
						at={`${at}/password`}
						error={error}
						hint={known ? "Leave empty to keep the stored password" : undefined}
					>
						{(wired) => (
							<input
								{...wired}
								type="password"
								autoComplete="new-password"
								required={!known}
								value={password}
								onChange={(event) => setPassword(event.target.value)}
							/>
						)}
					</Field>
				)}
			</div>
		</fieldset>
	);
}
