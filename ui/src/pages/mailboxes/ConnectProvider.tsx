import { useChange, useOne } from "../../data";
import {
	ConnectMailboxDocument,
	CreateMailboxDocument,
	type MailboxFieldsFragment,
	type MailProvider,
	MailProvidersDocument,
	OAuthClientsDocument,
	type OAuthProvider,
} from "../../gql/generated";
import { FormError } from "../../parts/Field";
import { toast } from "../../parts/Toasts";

export const providerNames: Record<MailProvider, string> = {
	google: "Google",
	microsoft: "Microsoft",
	custom: "Other",
};

/** Leads this tab to the sign-in of a provider. It comes back to the mailbox. */
function useConnect() {
	return useChange(ConnectMailboxDocument, ({ createMailboxConnection: c }) => {
		if (c.authorizeUrl) window.location.assign(c.authorizeUrl);
	});
}

/** The buttons for new mailboxes. One that cannot be used says which setting is missing. */
export function ConnectProvider() {
	const { data } = useOne(MailProvidersDocument, {});
	const connect = useConnect();
	return (
		<section className="section providers" aria-label="Providers">
			<div className="buttons start">
				{data?.mailProviders.map(({ provider, missing }) => (
					<button
						key={provider}
						type="button"
						disabled={!!missing || connect.isPending}
						aria-describedby={missing ? `missing-${provider}` : undefined}
						onClick={() => connect.mutate({ input: { provider } })}
					>
						Connect {providerNames[provider]}
					</button>
				))}
			</div>
			{data?.mailProviders.map(
				({ provider, missing }) =>
					missing && (
						<p key={provider} id={`missing-${provider}`} className="faint">
							{missing}
						</p>
					),
			)}
			<FormError error={connect.error} />
			<h3>Other</h3>
		</section>
	);
}

/** Connects one account of a provider, or says which setting is missing. */
export function ConnectAccount({ provider, email }: { provider: OAuthProvider; email: string }) {
	const missing = useOne(MailProvidersDocument, {}).data?.mailProviders.find((p) => p.provider === provider)?.missing;
	const connect = useConnect();
	return (
		<>
			{missing && <p className="faint">{missing}</p>}
			<FormError error={connect.error} />
			<div className="buttons start">
				<button
					type="button"
					className="primary"
					disabled={!!missing || connect.isPending}
					onClick={() => connect.mutate({ input: { provider, email } })}
				>
					Continue to {providerNames[provider]}
				</button>
			</div>
		</>
	);
}

/** Connects a mailbox of Microsoft without its owner, if the workspace has a client of its own. */
export function ConnectByClient({ email, onSaved }: { email: string; onSaved: (id: string) => void }) {
	const own = useOne(OAuthClientsDocument, {}).data?.oauthClients.some(({ provider }) => provider === "microsoft");
	const create = useChange(CreateMailboxDocument, ({ createMailbox: box }) => toast(`${box.email} connected.`));
	if (!own) return null;
	return (
		<section aria-label="Without sign-in">
			<p className="faint">
				The Microsoft client of this workspace opens mailboxes without their owners, if an administrator has allowed it.
			</p>
			<FormError error={create.error} />
			<div className="buttons start">
				<button
					type="button"
					disabled={create.isPending}
					onClick={() =>
						create.mutate(
							{ input: { email, provider: "microsoft", auth: "oauth2_app" } },
							{ onSuccess: (data) => onSaved(data.createMailbox.id) },
						)
					}
				>
					{create.isPending ? "Checking both servers…" : "Connect without sign-in"}
				</button>
			</div>
		</section>
	);
}

/** Asks the provider for a new grant for a mailbox. */
export function Reconnect({ mailbox: m }: { mailbox: MailboxFieldsFragment }) {
	const connect = useConnect();
	const { provider } = m;
	if (provider === "custom") return null;
	return (
		<>
			<FormError error={connect.error} />
			<div className="buttons start">
				<button
					type="button"
					className={m.authError ? "primary" : ""}
					disabled={connect.isPending}
					onClick={() => connect.mutate({ input: { provider, mailboxId: m.id } })}
				>
					Reconnect
				</button>
			</div>
		</>
	);
}
