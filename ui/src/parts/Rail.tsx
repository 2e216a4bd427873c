import { BookOpen, ListChecks, LogOut, type LucideIcon, Settings } from "lucide-react";
import { useEffect } from "react";
import { Link } from "wouter";
import { request } from "../api";
import { client, useOne } from "../data";
import { SignOutDocument, WaitingDocument } from "../gql/generated";
import { forgetRecent } from "../logic/recent";
import { hurryDeletions } from "./deletions";
import { titleWaiting } from "./title";
import { forgetForms } from "./typed";
import { useViewer } from "./viewer";

/** One place of the sidebar, and of the bar at the bottom of a phone. */
export function Entry({
	to,
	label,
	icon: Icon,
	at,
}: {
	to: string;
	label: string;
	icon: LucideIcon;
	at: string | undefined;
}) {
	const here = to === `/${at ?? ""}`;
	return (
		<Link href={to} className="entry" aria-current={here ? "page" : undefined} title={label}>
			<Icon size={18} aria-hidden />
			<span>{label}</span>
			{to === "/inbox" && <Unread />}
		</Link>
	);
}

function Unread() {
	const { data } = useOne(WaitingDocument, {});
	const n = data?.waitingReplies ?? 0;
	useEffect(() => titleWaiting(n), [n]);
	return n > 0 ? (
		<b className="count">
			{n > 99 ? "99+" : n}
			<span className="offscreen"> open replies</span>
		</b>
	) : null;
}

/** The foot of the sidebar: settings, documentation and the signed-in user. */
export function Below({ at, onKeys }: { at: string | undefined; onKeys: () => void }) {
	const viewer = useViewer();
	const leave = async () => {
		await hurryDeletions();
		await request(SignOutDocument, {});
		sessionStorage.clear();
		forgetForms();
		forgetRecent();
		client.clear();
		location.assign("/");
	};
	return (
		<>
			<Entry to="/settings" label="Settings" icon={Settings} at={at} />
			{viewer.admin && (
				<a href="/ops/queues" className="entry" title="Queue dashboard">
					<ListChecks size={18} aria-hidden />
					<span>Queue dashboard</span>
				</a>
			)}
			<a href="/docs" className="entry" title="API documentation">
				<BookOpen size={18} aria-hidden />
				<span>API documentation</span>
			</a>
			<div className="who">
				<Link href="/settings/account" className="clip" title={`${viewer.email}: account and password`}>
					<b>{viewer.workspaceName}</b>
					<small>{viewer.email}</small>
				</Link>
				<button type="button" className="icon keys" aria-label="Keyboard shortcuts" onClick={onKeys}>
					?
				</button>
				<button type="button" className="icon" aria-label="Sign out" onClick={() => void leave()}>
					<LogOut size={16} aria-hidden />
				</button>
			</div>
		</>
	);
}
