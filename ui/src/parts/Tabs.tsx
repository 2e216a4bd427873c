import { Link } from "wouter";
import { usePhone } from "./useMedia";
import { usePlace } from "./usePlace";

interface Props {
	label: string;
	tabs: { name: string; label: string; href: string }[];
	at: string;
	replace?: boolean;
}

/** The most tabs that have room side by side on a phone. */
const IN_A_ROW = 5;

/** The parts of a page, each with an address. On a phone many of them are one menu. */
export function Tabs({ label, tabs, at, replace = false }: Props) {
	const { navigate } = usePlace();
	if (usePhone() && tabs.length > IN_A_ROW)
		return (
			<nav aria-label={label}>
				<select
					aria-label={`Part of ${label}`}
					value={tabs.find(({ name }) => name === at)?.href}
					onChange={({ target }) => navigate(target.value, { replace })}
				>
					{tabs.map((tab) => (
						<option key={tab.name} value={tab.href}>
							{tab.label}
						</option>
					))}
				</select>
			</nav>
		);
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
