/** The tabs of the settings: the last part of the address, and the name. */
export const settingsTabs = {
	webhooks: "Webhooks",
	integrations: "Deliveries",
	token: "API token",
	domain: "Tracking domain",
	sending: "Sending",
	mail: "Mail providers",
	team: "Team",
	audit: "Audit log",
	account: "Account",
} as const;
