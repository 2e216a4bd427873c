import { Ban, Building2, FileText, Inbox, LayoutDashboard, type LucideIcon, Mail, Send, Users } from "lucide-react";

/** Where one can go, in the order of the rail. */
export const places: { to: string; label: string; icon: LucideIcon }[] = [
	{ to: "/", label: "Overview", icon: LayoutDashboard },
	{ to: "/inbox", label: "Inbox", icon: Inbox },
	{ to: "/campaigns", label: "Campaigns", icon: Send },
	{ to: "/prospects", label: "Prospects", icon: Users },
	{ to: "/companies", label: "Companies", icon: Building2 },
	{ to: "/offers", label: "Offers", icon: FileText },
	{ to: "/mailboxes", label: "Mailboxes", icon: Mail },
	{ to: "/suppressions", label: "Suppressions", icon: Ban },
];
