import { useChange, useOne } from "../../data";
import { SetTrackingDomainDocument, TrackingDomainDocument, VerifyTrackingDomainDocument } from "../../gql/generated";
import { Badge } from "../../parts/Badge";
import { Field, FormError } from "../../parts/Field";
import { CodeBox } from "../../parts/Secret";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";
import { useViewer } from "../../parts/viewer";

export function Domain() {
	const { data, error, refetch } = useOne(TrackingDomainDocument, {});
	const { values, set, clear } = useDraft("domain", { host: data?.trackingDomain?.host ?? "" });
	const save = useChange(SetTrackingDomainDocument),
		verify = useChange(VerifyTrackingDomainDocument);
	const owner = useViewer().role === "owner";
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />;
	const domain = data.trackingDomain;
	const say = (status: string) =>
		toast(status === "verified" ? "Domain verified." : "The CNAME record was not found yet.");
	return (
		<div className="panel">
			<section className="section" aria-labelledby="domain">
				<h2 id="domain">Tracking domain</h2>
				<p className="faint">
					Links in mails go through this host so that clicks are counted. Without a verified host, links stay as
					written.
				</p>
				{domain && (
					<>
						<p className="line">
							<b>{domain.host}</b>
							<Badge state={domain.status} />
							{domain.verifiedAt && (
								<span className="faint">
									verified <Time at={domain.verifiedAt} />
								</span>
							)}
						</p>
						{domain.status === "pending" && (
							<>
								<p>Add this record at your DNS provider, then check again. It can take an hour.</p>
								<CodeBox label="DNS record" code={`${domain.host}.  CNAME  ${domain.target}.`} />
							</>
						)}
						<div>
							<button
								type="button"
								disabled={verify.isPending}
								onClick={() => verify.mutate({}, { onSuccess: (got) => say(got.verifyTrackingDomain.status) })}
							>
								{verify.isPending ? "Checking…" : "Check again"}
							</button>
						</div>
						<FormError error={verify.error} />
					</>
				)}
			</section>
			{owner ? (
				<form
					onSubmit={(event) => {
						event.preventDefault();
						save.mutate(
							{ host: values.host.trim() },
							{
								onSuccess: (got) => {
									clear();
									say(got.setTrackingDomain.status);
								},
							},
						);
					}}
				>
					<Field
						label={domain ? "New host" : "Host"}
						at="/host"
						error={save.error}
						hint={
							"For example go.example.com. Use a host that serves nothing else." +
							(domain ? " Keep the old DNS record: sent mails still use it." : "")
						}
					>
						{(wired) => (
							<input
								{...wired}
								required
								autoComplete="off"
								value={values.host}
								onChange={(event) => set({ host: event.target.value })}
							/>
						)}
					</Field>
					<FormError error={save.error} />
					<div className="buttons start">
						<button type="submit" className="primary" disabled={save.isPending}>
							Use this host
						</button>
					</div>
				</form>
			) : (
				<p className="faint">Only an owner can change the domain.</p>
			)}
		</div>
	);
}
