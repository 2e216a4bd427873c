import { Link } from "wouter";

interface Props {
	label: string;
	tabs: { name: string; label: string; href: string }[];
	at: string;
	replace?: boolean;
}

/** The parts of a page, each with an address. Where not all have room, they take more lines. */
export function Tabs({ label, tabs, at, replace = false }: Props) {
	return (
		<nav className="tabs" aria-label={label}>
			{tabs.map((tab) => (
				<Link
					key={tab.name}
					className="tab"
					href={tab.href}
					replace={replace}
					aria-current={at === tab.name ? "page" : undefined}
				>
					{tab.label}
				</Link>
			))}
		</nav>
	);
}
