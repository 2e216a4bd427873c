/** The tabs of the settings, the one that opens first: the last part of the address, and the name. */
export const settingsTabs = {
	account: "Account",
	team: "Team",
	snippets: "Snippets",
	sending: "Sending",
	domain: "Tracking domain",
	mail: "Mail providers",
	token: "API token",
	webhooks: "Webhooks",
	integrations: "Deliveries",
	audit: "Audit log",
} as const;
