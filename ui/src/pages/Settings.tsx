import { Page } from "../parts/Page";
import { settingsTabs } from "../parts/settingsTabs";
import { Tabs } from "../parts/Tabs";
import { usePlace } from "../parts/usePlace";
import NotFound from "./NotFound";
import { Account } from "./settings/Account";
import { AuditLog } from "./settings/AuditLog";
import { Domain } from "./settings/Domain";
import { Integrations } from "./settings/Integrations";
import { MailClients } from "./settings/MailClients";
import { Sending } from "./settings/Sending";
import { Snippets } from "./settings/Snippets";
import { Team } from "./settings/Team";
import { Token } from "./settings/Token";
import { Webhooks } from "./settings/Webhooks";

export default function Settings() {
	const {
		path: [, tab = "account", id],
	} = usePlace();
	if (!(tab in settingsTabs)) return <NotFound />;
	return (
		<Page title="Settings" wide={tab === "integrations" || tab === "audit"}>
			<Tabs
				label="Settings"
				at={tab}
				tabs={Object.entries(settingsTabs).map(([name, label]) => ({ name, label, href: `/settings/${name}` }))}
			/>
			{tab === "account" && <Account />}
			{tab === "team" && <Team />}
			{tab === "snippets" && <Snippets id={id} />}
			{tab === "sending" && <Sending />}
			{tab === "domain" && <Domain />}
			{tab === "mail" && <MailClients />}
			{tab === "token" && <Token />}
			{tab === "webhooks" && <Webhooks id={id} />}
			{tab === "integrations" && <Integrations id={id} />}
			{tab === "audit" && <AuditLog />}
		</Page>
	);
}
