import { useState } from "react";
import { request } from "../../api";
import { refresh, useChange, useOne } from "../../data";
import {
	DeleteOAuthClientDocument,
	type MailProvider,
	OAuthClientsDocument,
	type OAuthClientsQuery,
	SetOAuthClientDocument,
} from "../../gql/generated";
import { Confirm } from "../../parts/Confirm";
import { Field, FormError } from "../../parts/Field";
import { Failure, Skeleton } from "../../parts/states";
import { toast } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";
import { useViewer } from "../../parts/viewer";
import { providerNames } from "../mailboxes/ConnectProvider";

type Client = OAuthClientsQuery["oauthClients"][number];

/** The workspace's own OAuth clients. */
export function MailClients() {
	const { data, error, refetch } = useOne(OAuthClientsDocument, {});
	const owner = useViewer().role === "owner";
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />;
	return (
		<div className="panel">
			<p className="faint">
				Mailboxes of Google and Microsoft are connected with an OAuth client. A client of this workspace goes before
				that of the installation.
			</p>
			{data.mailProviders.map(({ provider, missing }) => (
				<ClientOf
					key={provider}
					provider={provider}
					missing={missing ?? null}
					client={data.oauthClients.find((c) => c.provider === provider)}
					owner={owner}
				/>
			))}
		</div>
	);
}

interface Props {
	provider: MailProvider;
	missing: string | null;
	client: Client | undefined;
	owner: boolean;
}

function ClientOf({ provider, missing, client, owner }: Props) {
	const name = providerNames[provider];
	const [removing, setRemoving] = useState(false);
	const remove = async () => {
		await request(DeleteOAuthClientDocument, { provider });
		toast(`${name} client removed.`);
		void refresh();
	};
	return (
		<section className="section" aria-labelledby={`client-${provider}`}>
			<h2 id={`client-${provider}`}>{name}</h2>
			{client ? (
				<p className="line">
					<b>{client.clientId}</b>
					{client.tenant && <span className="faint">tenant {client.tenant}</span>}
				</p>
			) : (
				<p className="faint">{missing ?? "Uses the client of the installation."}</p>
			)}
			{client?.fault && <p className="note bad">{client.fault}</p>}
			{client && owner && (
				<div>
					<button type="button" onClick={() => setRemoving(true)}>
						Remove {name} client
					</button>
				</div>
			)}
			{removing && (
				<Confirm
					title={`Remove the ${name} client?`}
					verb="Remove client"
					act={remove}
					onClose={() => setRemoving(false)}
				>
					<p>Mailboxes that were connected with it stop when their access ends, and must then be connected again.</p>
				</Confirm>
			)}
			{owner ? (
				<ClientForm provider={provider} known={!!client} />
			) : (
				<p className="faint">Only an owner can change the client.</p>
			)}
		</section>
	);
}

function ClientForm({ provider, known }: { provider: MailProvider; known: boolean }) {
	const { values, set, clear } = useDraft(`client.${provider}`, { clientId: "", tenant: "" });
	// The secret is never written to the tab's storage.
	const [secret, setSecret] = useState("");
	const save = useChange(SetOAuthClientDocument, () => {
		clear();
		setSecret("");
		toast(`${providerNames[provider]} client saved.`);
	});
	const input = { clientId: values.clientId, clientSecret: secret, tenant: values.tenant || null };
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				save.mutate({ provider, input });
			}}
		>
			<div className="two">
				<Field label="Client ID" at="/client_id" error={save.error}>
					{(wired) => (
						<input
							{...wired}
							required
							autoComplete="off"
							value={values.clientId}
							onChange={(event) => set({ clientId: event.target.value })}
						/>
					)}
				</Field>
				<Field label="Client secret" at="/client_secret" error={save.error} hint="Not shown again">
					{(wired) => (
						<input
							{...wired}
							required
							type="password"
							autoComplete="new-password"
							value={secret}
							onChange={(event) => setSecret(event.target.value)}
						/>
					)}
				</Field>
			</div>
			{provider === "microsoft" && (
				<Field
					label="Tenant"
					at="/tenant"
					error={save.error}
					hint="Directory ID or domain. Application access needs one directory."
				>
					{(wired) => (
						<input
							{...wired}
							required
							autoComplete="off"
							value={values.tenant}
							onChange={(event) => set({ tenant: event.target.value })}
						/>
					)}
				</Field>
			)}
			<FormError error={save.error} />
			<div className="buttons start">
				<button type="submit" disabled={save.isPending}>
					{known ? "Replace client" : "Add client"}
				</button>
			</div>
		</form>
	);
}
