import type { ReactNode } from "react";
import { Link } from "wouter";
import { useChange, useOne } from "../data";
import {
	CheckSendingDomainDocument,
	HealthOfMailboxesDocument,
	MailboxesDocument,
	type MailboxFieldsFragment,
	type RecordFieldsFragment,
	type SendingDomainFieldsFragment,
	SendingDomainsDocument,
} from "../gql/generated";
import { count, plural } from "../logic/format";
import { Badge } from "../parts/Badge";
import { FormError } from "../parts/Field";
import { Page } from "../parts/Page";
import { CodeBox } from "../parts/Secret";
import { Empty, Failure, type Sample, Skeleton } from "../parts/states";
import { Time } from "../parts/Time";
import { toast } from "../parts/Toasts";
import { Health } from "./mailboxes/Health";
import { Placement, usePlacements } from "./mailboxes/Placement";

const sample: Sample[] = [
	["yourcompany.com", "Passing", "SPF, DKIM and DMARC are good"],
	["yourcompany.io", "Failing", "No DMARC record"],
];

/** What decides whether mail arrives: the records of each domain, and the use of each mailbox. */
export default function Deliverability() {
	const { data, error, refetch } = useOne(SendingDomainsDocument, {});
	const domains = data?.sendingDomains.nodes;
	const boxes = useOne(MailboxesDocument, {}).data?.mailboxes.nodes ?? [];
	return (
		<Page title="Deliverability">
			{!domains && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton lines={8} />)}
			{domains?.length === 0 && (
				<Empty title="Connect a mailbox to see whether its mail can arrive." sample={sample}>
					<Link className="button primary" href="/mailboxes/new">
						Connect a mailbox
					</Link>
				</Empty>
			)}
			{domains?.map((domain) => (
				<Domain key={domain.id} domain={domain} boxes={boxes.filter((box) => domainOf(box.email) === domain.domain)} />
			))}
			{domains && domains.length > 0 && <Mailboxes boxes={boxes} />}
		</Page>
	);
}

const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

function Domain({ domain: d, boxes }: { domain: SendingDomainFieldsFragment; boxes: MailboxFieldsFragment[] }) {
	const sending = boxes.filter(({ status }) => status === "connected");
	const total = (of: (box: MailboxFieldsFragment) => number) => sending.reduce((sum, box) => sum + of(box), 0);
	const check = useChange(CheckSendingDomainDocument);
	const records: [string, RecordFieldsFragment][] = [
		["SPF", d.spf],
		["DKIM", d.dkim],
		["DMARC", d.dmarc],
		["MX", d.mx],
	];
	return (
		<section className="section domain" aria-labelledby={d.id}>
			<header>
				<h2 id={d.id}>{d.domain}</h2>
				<Badge state={d.state} />
				<span className="faint">
					{d.state === "failing" && d.failingSince ? (
						<>
							since <Time at={d.failingSince} />, checked <Time at={d.checkedAt} none="not yet" />
						</>
					) : (
						<>
							checked <Time at={d.checkedAt} none="not yet" />
						</>
					)}
				</span>
				<button
					type="button"
					disabled={check.isPending}
					aria-label={`Check now: ${d.domain}`}
					onClick={() => check.mutate({ id: d.id }, { onSuccess: () => toast(`${d.domain} checked.`) })}
				>
					{check.isPending ? "Checking…" : "Check now"}
				</button>
			</header>
			{boxes.length > 0 && (
				<p className="faint">
					{count(total((box) => box.sentToday))} of {count(total((box) => box.limitToday))} mails today, from{" "}
					{sending.length === boxes.length
						? plural(boxes.length, "mailbox", "mailboxes")
						: `${count(sending.length)} of ${plural(boxes.length, "mailbox", "mailboxes")} that can send`}
				</p>
			)}
			<FormError error={check.error} />
			<ul className="lines">
				{records.map(([name, record]) => (
					<Verdict key={name} name={name} record={record} />
				))}
			</ul>
		</section>
	);
}

function Verdict({ name, record: r }: { name: string; record: RecordFieldsFragment }) {
	return (
		<li>
			<div className="verdict">
				<b>{name}</b>
				<Badge state={r.result} label={labels[r.result]} />
			</div>
			<div className="grow">
				<p>{r.detail}</p>
				{r.record && r.publish.length === 0 && <code className="faint">{r.record}</code>}
				{r.publish.map((record) => (
					<div key={record.name}>
						<p className="faint">
							{record.type} record of {record.name}
						</p>
						<CodeBox wrap code={record.value} label={`${name} record`} />
					</div>
				))}
			</div>
		</li>
	);
}

const labels = { pass: "Good", fail: "Wrong", none: "Missing", unknown: "Unknown" } as const;

function Mailboxes({ boxes }: { boxes: MailboxFieldsFragment[] }) {
	const healths = useOne(HealthOfMailboxesDocument, {}).data?.mailboxes.nodes ?? [];
	const placements = usePlacements();
	return (
		<section className="section" aria-labelledby="mailboxes">
			<h2 id="mailboxes">Mailboxes</h2>
			<ul className="capacity healths">
				{boxes.map((box) => {
					const health = healths.find(({ id }) => id === box.id)?.health;
					return (
						<Use key={box.id} box={box}>
							{health && <Health health={health} paused={box.status === "paused"} />}
							<Placement box={box} boxes={boxes} last={placements.get(box.id)} />
						</Use>
					);
				})}
			</ul>
		</section>
	);
}

/** Why a mailbox sends no more than it does today. */
function limitReason({ status, rampUp, limitToday, dailyLimit }: MailboxFieldsFragment) {
	if (status === "paused") return "Paused: nothing is sent until it is resumed";
	if (status === "error") return "Nothing is sent until the error is corrected";
	if (rampUp && limitToday < dailyLimit)
		return `Ramping up: ${rampUp.increase} more after each day on which it sends, up to ${count(dailyLimit)}`;
	return "Daily limit";
}

function Use({ box, children }: { box: MailboxFieldsFragment; children: ReactNode }) {
	return (
		<li>
			<Link className="clip" href={`/mailboxes/${box.id}`} title={box.email}>
				{box.email}
			</Link>
			<span className="line tight">
				{box.status !== "connected" && <Badge state={box.status} />}
				<span className="faint">
					{count(box.sentToday)} of {count(box.limitToday)} today
				</span>
			</span>
			<span className="measure">
				<span style={{ width: `${Math.min(100, (box.sentToday / (box.limitToday || 1)) * 100)}%` }} />
			</span>
			<p className="faint">{limitReason(box)}</p>
			{box.lastError && <p className="bad-text">{box.lastError}</p>}
			{children}
		</li>
	);
}
