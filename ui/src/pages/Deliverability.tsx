import { Link } from "wouter";
import { LIVE, useAll, useOne } from "../data";
import { MailboxesDocument, SendingDomainsDocument } from "../gql/generated";
import { verdictOfDomain, worstFirst } from "../logic/deliverability";
import { Page } from "../parts/Page";
import { Empty, Failure, type Sample, Skeleton } from "../parts/states";
import { Boxes } from "./deliverability/Boxes";
import { Domain } from "./deliverability/Domain";

const sample: Sample[] = [
	["yourcompany.io", "Fail", "No DMARC record"],
	["yourcompany.com", "Pass", "SPF, DKIM and DMARC are good"],
];

/** What decides whether mail arrives: the records of each domain, and what came back from each mailbox. The worst is first. */
export default function Deliverability() {
	const {
		data: domains,
		error,
		refetch,
	} = useAll(SendingDomainsDocument, (data) => data.sendingDomains, {}, { live: LIVE });
	const boxes = useOne(MailboxesDocument, {});
	const all = boxes.data?.mailboxes.nodes;
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
			{domains &&
				worstFirst(domains, verdictOfDomain).map((domain) => (
					<Domain key={domain.id} domain={domain} boxes={all?.filter((box) => domainOf(box.email) === domain.domain)} />
				))}
			{domains && domains.length > 0 && all && <Boxes boxes={all} />}
			{domains && domains.length > 0 && !all && boxes.error && (
				<Failure error={boxes.error} retry={() => void boxes.refetch()} what="Loading the mailboxes failed." />
			)}
		</Page>
	);
}

const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();
