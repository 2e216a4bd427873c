import {
	Ban,
	Building2,
	FileText,
	Inbox,
	LayoutDashboard,
	type LucideIcon,
	Mail,
	Send,
	ShieldCheck,
	Users,
} from "lucide-react";

/** The pages in the order of the sidebar; after is the key pressed after "g". */
export const places: { to: string; after: string; label: string; icon: LucideIcon }[] = [
	{ to: "/", after: "o", label: "Overview", icon: LayoutDashboard },
	{ to: "/inbox", after: "i", label: "Inbox", icon: Inbox },
	{ to: "/campaigns", after: "c", label: "Campaigns", icon: Send },
	{ to: "/prospects", after: "p", label: "Prospects", icon: Users },
	{ to: "/companies", after: "m", label: "Companies", icon: Building2 },
	{ to: "/offers", after: "f", label: "Offers", icon: FileText },
	{ to: "/mailboxes", after: "b", label: "Mailboxes", icon: Mail },
	{ to: "/deliverability", after: "d", label: "Deliverability", icon: ShieldCheck },
	{ to: "/suppressions", after: "s", label: "Suppressions", icon: Ban },
];
