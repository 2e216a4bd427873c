import { Check } from "lucide-react";
import { Link } from "wouter";
import { useOne } from "../../data";
import { InterestValues } from "../../gql/enums";
import { OpenRepliesDocument, type OpenReplyFieldsFragment, WaitingDocument } from "../../gql/generated";
import { count, nameOf, plural } from "../../logic/format";
import { firstToAnswer, inOneLine } from "../../logic/waiting";
import { Badge } from "../../parts/Badge";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";

/** How many replies are shown one by one. */
const SHOWN = 5;

/** The replies that wait for an answer: how many, by what people want, and the first of them. */
export function RepliesWaiting() {
	const total = useOne(WaitingDocument, {}).data?.waitingReplies;
	const { data, error, refetch } = useOne(OpenRepliesDocument, {});
	const waits = total ?? data?.replies.nodes.length;
	const by = InterestValues.map(
		(interest) => [interest, data?.replies.nodes.filter((reply) => reply.interest === interest).length ?? 0] as const,
	);
	return (
		<section className="section" aria-labelledby="replies-waiting">
			<header>
				<h2 id="replies-waiting">Replies waiting</h2>
				{waits !== undefined && waits > 0 && (
					<>
						<span className="faint">{waits > 99 ? "100 or more replies" : plural(waits, "reply", "replies")}</span>
						<Link className="button primary" href="/inbox">
							Read
						</Link>
					</>
				)}
			</header>
			{!data && error && <Failure error={error} retry={() => void refetch()} />}
			{!data && !error && <Skeleton lines={SHOWN} />}
			{data && waits === 0 && (
				<p className="faint line">
					<Check size={16} aria-hidden /> No reply waits for an answer.
				</p>
			)}
			{data && waits !== 0 && (
				<>
					<p className="waiting">
						{by.map(
							([interest, n]) =>
								n > 0 && (
									<Link key={interest} href={`/inbox?interest=${interest}`}>
										{count(n)} {interest}
									</Link>
								),
						)}
					</p>
					<ul className="said">
						{firstToAnswer(data.positive.nodes, data.newest.nodes, SHOWN).map((reply) => (
							<Said key={reply.id} reply={reply} />
						))}
					</ul>
				</>
			)}
		</section>
	);
}

/** A reply in two lines: who and when, and what they said. It opens the conversation. */
function Said({ reply }: { reply: OpenReplyFieldsFragment }) {
	const { prospect } = reply;
	return (
		<li>
			<Link href={`/inbox/${reply.id}`}>
				<span className="clip">
					<b>{prospect ? nameOf(prospect) : reply.from}</b>
					{prospect?.companyName && <span className="faint"> · {prospect.companyName}</span>}
				</span>
				{reply.interest && <Badge state={reply.interest} />}
				<span className="faint when">
					<Time at={reply.receivedAt} />
				</span>
				<span className="words clip">{inOneLine(reply)}</span>
			</Link>
		</li>
	);
}
