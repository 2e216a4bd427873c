import { refreshWhole, useChange } from "../../data";
import {
	CheckSendingDomainDocument,
	type MailboxFieldsFragment,
	type RecordFieldsFragment,
	type SendingDomainFieldsFragment,
} from "../../gql/generated";
import { nextForRecord, verdictOfDomain, verdictOfRecord, worstFirst } from "../../logic/deliverability";
import { count, plural } from "../../logic/format";
import { FormError } from "../../parts/Field";
import { CodeBox } from "../../parts/Secret";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";
import { VerdictMark } from "../../parts/VerdictMark";

/** The records of a domain, the worst first, each with what to do about it. Its boxes are missing until they are loaded. */
export function Domain({ domain: d, boxes }: { domain: SendingDomainFieldsFragment; boxes?: MailboxFieldsFragment[] }) {
	const check = useChange(CheckSendingDomainDocument, () => refreshWhole("SendingDomains"));
	const records: [string, RecordFieldsFragment][] = [
		["SPF", d.spf],
		["DKIM", d.dkim],
		["DMARC", d.dmarc],
		["MX", d.mx],
	];
	return (
		<section className="section domain" aria-labelledby={d.id}>
			<header>
				<VerdictMark verdict={verdictOfDomain(d)} />
				<h2 id={d.id}>{d.domain}</h2>
				<span className="faint">
					{d.failingSince && (
						<>
							since <Time at={d.failingSince} />,{" "}
						</>
					)}
					checked <Time at={d.checkedAt} none="not yet" />
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
			{!boxes && <p aria-hidden>&nbsp;</p>}
			{boxes && boxes.length > 0 && <Today boxes={boxes} />}
			<FormError error={check.error} />
			<ul className="verdicts">
				{worstFirst(records, ([, record]) => verdictOfRecord(record)).map(([name, record]) => (
					<Finding key={name} name={name} record={record} />
				))}
			</ul>
		</section>
	);
}

/** How much of today's limits the mailboxes of a domain have used. */
function Today({ boxes }: { boxes: MailboxFieldsFragment[] }) {
	const sending = boxes.filter(({ status }) => status === "connected");
	const total = (of: (box: MailboxFieldsFragment) => number) => count(sending.reduce((sum, box) => sum + of(box), 0));
	const all = plural(boxes.length, "mailbox", "mailboxes");
	return (
		<p className="faint">
			{total((box) => box.sentToday)} of {total((box) => box.limitToday)} mails today, from{" "}
			{sending.length === boxes.length ? all : `${count(sending.length)} of ${all} that can send`}
		</p>
	);
}

function Finding({ name, record: r }: { name: string; record: RecordFieldsFragment }) {
	const next = nextForRecord(name, r);
	return (
		<li>
			<b>{name}</b>
			<VerdictMark verdict={verdictOfRecord(r)} />
			<div className="grow">
				<p>{r.detail}</p>
				{next && (
					<p>
						<b>Next:</b> {next}
					</p>
				)}
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
