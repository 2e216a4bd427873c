import { type ReactNode, useEffect } from "react";
import { titlePage } from "./title";

interface Props {
	title: string;
	count?: ReactNode;
	action?: ReactNode;
	filters?: ReactNode;
	wide?: boolean;
	children: ReactNode;
}

/** One title, one primary action, filters, content. */
export function Page({ title, count, action, filters, wide = false, children }: Props) {
	useEffect(() => titlePage(title), [title]);
	return (
		<main id="main" className={wide ? "page wide" : "page"} tabIndex={-1}>
			<header className="head">
				<h1 title={title}>{title}</h1>
				{count && <span className="faint">{count}</span>}
				<div className="actions">{action}</div>
			</header>
			{filters && <div className="filters">{filters}</div>}
			{children}
		</main>
	);
}
