import { useState } from "react";
import { useChange, useOne } from "../../data";
import {
	CheckPlacementDocument,
	LastPlacementsDocument,
	type MailboxFieldsFragment,
	type PlacementFieldsFragment,
} from "../../gql/generated";
import { FormError } from "../../parts/Field";
import { Time } from "../../parts/Time";

/** The newest placement check of each mailbox, by its id. */
export function usePlacements() {
	const list = useOne(LastPlacementsDocument, {}).data?.lastPlacementChecks ?? [];
	return new Map(list.map((check) => [check.mailboxId, check]));
}

type Props = { box: MailboxFieldsFragment; boxes: MailboxFieldsFragment[]; last?: PlacementFieldsFragment };

/** Where the mail of a mailbox arrived last, and a way to find out again. */
export function Placement({ box, boxes, last }: Props) {
	const others = boxes.filter((other) => other.id !== box.id);
	const far = others.find((other) => domainOf(other) !== domainOf(box));
	const [chosen, choose] = useState<string>();
	const check = useChange(CheckPlacementDocument);
	const waiting = last?.status === "waiting";
	const to = chosen ?? last?.toMailboxId ?? far?.id ?? others[0]?.id;
	if (!to) return <p className="faint">Connect a second mailbox to check where its mail arrives.</p>;
	return (
		<div className="placement">
			{last && <Result check={last} to={boxes.find((other) => other.id === last.toMailboxId)?.email} />}
			<span className="line tight">
				<span className="faint">Send a check to</span>
				<select
					aria-label={`Send a check from ${box.email} to`}
					value={to}
					disabled={waiting}
					onChange={(event) => choose(event.target.value)}
				>
					{others.map((other) => (
						<option key={other.id} value={other.id}>
							{other.email}
						</option>
					))}
				</select>
				<button
					type="button"
					disabled={waiting || check.isPending}
					aria-label={`Check placement of ${box.email}`}
					onClick={() => check.mutate({ id: box.id, to })}
				>
					{waiting ? "Checking…" : "Check placement"}
				</button>
			</span>
			<FormError error={check.error} />
		</div>
	);
}

const places = { inbox: "the inbox", junk: "the spam folder", other: "another folder" } as const;
const verdicts = { pass: "passed", fail: "failed", none: "missing", unknown: "unknown" } as const;

function Result({ check: c, to = "a mailbox that was removed" }: { check: PlacementFieldsFragment; to?: string }) {
	if (c.status === "waiting") {
		return <p className="faint">A mail to {to} is on its way. It is looked for up to 10 minutes.</p>;
	}
	if (c.status === "missing") {
		return (
			<p className="bad-text">
				The mail to {to} is missing (<Time at={c.createdAt} />
				). {c.detail}
			</p>
		);
	}
	return (
		<p className={c.folder === "inbox" ? "faint" : "warn-text"}>
			Mail to {to} arrived in {places[c.folder ?? "other"]}
			{c.seconds != null && ` within ${Math.max(1, c.seconds)} s`} (<Time at={c.createdAt} />
			).
			{c.authentication &&
				` SPF ${verdicts[c.authentication.spf]}, DKIM ${verdicts[c.authentication.dkim]}, DMARC ${verdicts[c.authentication.dmarc]}.`}
		</p>
	);
}

const domainOf = (box: MailboxFieldsFragment) => box.email.slice(box.email.lastIndexOf("@") + 1).toLowerCase();
