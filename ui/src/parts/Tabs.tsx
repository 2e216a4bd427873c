import { useEffect, useRef } from "react";
import { Link } from "wouter";

interface Props {
	label: string;
	tabs: { name: string; label: string; href: string }[];
	at: string;
	replace?: boolean;
}

/** The parts of a page, each with an address. Where not all have room, the one that is open is scrolled to. */
export function Tabs({ label, tabs, at, replace = false }: Props) {
	const nav = useRef<HTMLElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
	useEffect(() => {
		void nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
	}, [at]);
	return (
		<nav className="tabs" aria-label={label} ref={nav}>
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
