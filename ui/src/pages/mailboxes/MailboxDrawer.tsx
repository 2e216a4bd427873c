import { AlertTriangle, Check, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { request } from "../../api";
import { refresh, useChange, useOne } from "../../data";
import {
	CheckMailboxDocument,
	DeleteMailboxDocument,
	MailboxDocument,
	PauseMailboxDocument,
	ResumeMailboxDocument,
	type ServerFieldsFragment,
} from "../../gql/generated";
import { duration, plural } from "../../logic/format";
import { Badge } from "../../parts/Badge";
import { Confirm } from "../../parts/Confirm";
import { Drawer } from "../../parts/Drawer";
import { FormError } from "../../parts/Field";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";
import { providerNames, Reconnect } from "./ConnectProvider";
import { MailboxForm } from "./MailboxForm";
import { RampUp } from "./RampUp";

const server = (s: ServerFieldsFragment) =>
	`${s.host}:${s.port}, ${s.username}, ${s.security === "none" ? "not encrypted" : s.security.toUpperCase()}`;

export function MailboxDrawer({ id, onClose }: { id: string; onClose: () => void }) {
	const { data, error, refetch } = useOne(MailboxDocument, { id });
	const [editing, setEditing] = useState(false);
	const [deleting, setDeleting] = useState(false);
	const check = useChange(CheckMailboxDocument),
		pause = useChange(PauseMailboxDocument),
		resume = useChange(ResumeMailboxDocument);
	const m = data?.mailbox;
	if (m && editing)
		return <MailboxForm mailbox={m} onClose={() => setEditing(false)} onSaved={() => setEditing(false)} />;
	const remove = async () => {
		await request(DeleteMailboxDocument, { id });
		toast("Mailbox deleted.");
		onClose();
		void refresh();
	};
	return (
		<Drawer
			title={m?.email ?? "Mailbox"}
			subtitle={m?.displayName}
			onClose={onClose}
			actions={
				m && (
					<>
						<button type="button" className="icon" aria-label="Edit" title="Edit" onClick={() => setEditing(true)}>
							<Pencil size={16} aria-hidden />
						</button>
						<button type="button" className="icon" aria-label="Delete" title="Delete" onClick={() => setDeleting(true)}>
							<Trash2 size={16} aria-hidden />
						</button>
					</>
				)
			}
		>
			{!m && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />)}
			{m && (
				<>
					{m.lastError ? (
						<p className="note bad">
							<AlertTriangle size={16} aria-hidden />
							<span>
								<b>{m.authError ? "Access refused." : m.status === "paused" ? "Paused." : "Connection failed."}</b>{" "}
								{m.authError ?? m.lastError}
							</span>
						</p>
					) : (
						<p className="note good">
							<Check size={16} aria-hidden />
							<span>
								Both servers work, checked <Time at={m.lastCheckedAt} none="not checked yet" />.
							</span>
						</p>
					)}
					<dl className="facts">
						<dt>Status</dt>
						<dd>
							<Badge state={m.status} />
						</dd>
						<dt>Sent today</dt>
						<dd>
							{m.sentToday} of {plural(m.limitToday, "message")}
							<progress aria-label="Sent today" value={m.sentToday} max={m.limitToday || 1} />
							{m.rampUp && m.limitToday < m.dailyLimit && (
								<div className="faint">
									Ramping up: {m.rampUp.increase} more after each day on which it sends, up to {m.dailyLimit}
								</div>
							)}
						</dd>
						<dt>Gap</dt>
						<dd>{m.minGapSeconds ? `at least ${duration(m.minGapSeconds)} between two messages` : "none"}</dd>
						{m.provider !== "custom" && (
							<>
								<dt>Provider</dt>
								<dd>
									{providerNames[m.provider]}
									{m.auth === "oauth2"
										? ", by OAuth"
										: m.auth === "oauth2_app"
											? ", by the application"
											: ", by password"}
								</dd>
							</>
						)}
						<dt>SMTP</dt>
						<dd>{server(m.smtp)}</dd>
						<dt>IMAP</dt>
						<dd>{server(m.imap)}</dd>
						{m.folders && (
							<>
								<dt>Folders</dt>
								<dd>{m.folders.join(", ")}</dd>
							</>
						)}
						<dt>Connected</dt>
						<dd>
							<Time at={m.createdAt} />
						</dd>
					</dl>
					<RampUp mailbox={m} />
					{m.auth === "oauth2" && <Reconnect mailbox={m} />}
					<FormError error={check.error ?? pause.error ?? resume.error} />
					<div className="buttons start">
						<button
							type="button"
							className={m.authError || m.status === "paused" ? "" : "primary"}
							disabled={check.isPending}
							onClick={() =>
								check.mutate(
									{ id },
									{
										onSuccess: ({ checkMailbox: c }) => toast(c.lastError ? "The check failed." : "Both servers work."),
									},
								)
							}
						>
							{check.isPending ? "Checking…" : "Check now"}
						</button>
						{m.status === "paused" ? (
							<button type="button" className={m.authError ? "" : "primary"} onClick={() => resume.mutate({ id })}>
								Resume
							</button>
						) : (
							<button
								type="button"
								onClick={() =>
									pause.mutate({ id }, { onSuccess: () => toast("Mailbox paused.", () => resume.mutate({ id })) })
								}
							>
								Pause
							</button>
						)}
					</div>
				</>
			)}
			{deleting && m && (
				<Confirm
					title={`Delete ${m.email}?`}
					verb="Delete mailbox"
					typed={m.email}
					act={remove}
					onClose={() => setDeleting(false)}
				>
					<p>
						Disconnects 1 mailbox: it no longer sends mail or reads replies and bounces. Its{" "}
						{plural(m.sentToday, "message")} sent today stay on record.
					</p>
				</Confirm>
			)}
		</Drawer>
	);
}
