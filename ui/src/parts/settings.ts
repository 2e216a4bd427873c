/** Each setting with the page that has it, its name there, and other words for it. */
export const settings: { to: string; label: string; also: string }[] = [
	{ to: "/settings/account", label: "Change password", also: "passphrase credentials" },
	{ to: "/settings/account", label: "Change the theme", also: "dark mode light mode colours colors appearance" },
	{ to: "/settings/account", label: "Row height of lists", also: "density compact comfortable spacing" },
	{ to: "/settings/account", label: "Two-factor sign-in", also: "2fa mfa totp authenticator recovery codes" },
	{ to: "/settings/account", label: "Sessions", also: "devices sign out log out signed in" },
	{ to: "/settings/snippets", label: "Snippets", also: "saved replies canned responses text blocks templates" },
	{ to: "/settings/team", label: "Members and invitations", also: "team users roles invite colleague" },
	{
		to: "/settings/sending",
		label: "Hours between campaigns",
		also: "contact gap pause between mails frequency cap minimum wait",
	},
	{ to: "/settings/domain", label: "Tracking domain", also: "cname dns links host clicks opens" },
	{ to: "/settings/mail", label: "Mail providers", also: "google microsoft oauth client id secret tenant" },
	{ to: "/settings/token", label: "API token", also: "api key rest bearer curl" },
	{ to: "/settings/webhooks", label: "Webhooks", also: "subscriptions endpoint signing secret events url" },
	{ to: "/settings/integrations", label: "Deliveries of webhooks", also: "redeliver resend integrations attempts" },
	{ to: "/settings/audit", label: "Audit log", also: "history who changed activity" },
];
