import { useEffect } from "react";
import { useLocation } from "wouter";
import { type Rows, useRows } from "../../data";
import { FoundMailDocument, type FoundMailQuery } from "../../gql/generated";
import { markFound } from "../../logic/foundWords";
import { Empty, Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { Marked } from "./Marked";

type Mail = FoundMailQuery["mail"]["nodes"][number];

/** What the server accepts: it wants a letter or a digit. */
const hasWords = (search: string) => /[\p{L}\p{N}]/u.test(search);

/** How many mails are on a page. */
const SIZE = 50;

/** All mail that has the words of search. */
export function useFound(search: string): Rows<Mail> {
	const enabled = hasWords(search);
	const rows = useRows(FoundMailDocument, (data) => data.mail, { search }, { size: SIZE, live: 60_000, enabled });
	// A search that takes long ends its page early: what follows is asked for until there is a page.
	const reading = enabled && rows.more && !rows.error && rows.rows.length < SIZE;
	useEffect(() => {
		if (reading) rows.fetchMore();
	});
	return { ...rows, loading: enabled && (rows.loading || (reading && rows.rows.length === 0)) };
}

const kinds: Record<Mail["kind"], string> = { reply: "From", step: "Sent to", answer: "Answer to" };

interface Props {
	search: string;
	found: Rows<Mail>;
	/** The reply that is read. */
	open: string | undefined;
	go: (replyId: string) => void;
}

/** The mails that a search found, the newest first. Steps without a reply lead to their prospect. */
export function Found({ search, found, open, go }: Props) {
	const [, navigate] = useLocation();
	if (found.error && found.rows.length === 0)
		return (
			<div className="pane">
				<Failure error={found.error} retry={found.retry} />
			</div>
		);
	if (!hasWords(search)) return <Empty title="Type a word to search for." />;
	if (found.loading)
		return (
			<div className="pane">
				<Skeleton lines={8} />
			</div>
		);
	const read = (mail: Mail) => {
		if (mail.replyId) go(mail.replyId);
		else if (mail.prospectId) navigate(`/prospects/${mail.prospectId}`);
	};
	return (
		<div className="conversations">
			{found.rows.length === 0 && <Empty title="No mail has these words." />}
			<ul className="found" aria-label="Found mail">
				{found.rows.map((mail) => (
					<li key={mail.id}>
						<button
							type="button"
							aria-current={mail.replyId !== null && mail.replyId === open ? "true" : undefined}
							onClick={() => read(mail)}
						>
							<span className="clip">
								<span className="faint">{kinds[mail.kind]}</span> <Marked pieces={markFound(mail.who, search)} />
							</span>
							<small className="faint">
								<Time at={mail.at} />
							</small>
							<span className="over clip">
								{mail.subject ? <Marked pieces={markFound(mail.subject, search)} /> : "No subject"}
							</span>
							<span className="over excerpt faint">
								<Marked pieces={markFound(mail.excerpt, search)} />
							</span>
						</button>
					</li>
				))}
			</ul>
			{found.more && (
				<button type="button" className="folded" disabled={found.fetchingMore} onClick={found.fetchMore}>
					Older mail
				</button>
			)}
		</div>
	);
}
