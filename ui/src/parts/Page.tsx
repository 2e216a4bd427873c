import { type ReactNode, useEffect, useRef } from "react";
import { titlePage } from "./title";

interface Props {
	title: string;
	count?: ReactNode;
	action?: ReactNode;
	filters?: ReactNode;
	wide?: boolean;
	children: ReactNode;
}

let first = true;

/**
 * After navigation the page takes the focus if the focused element no longer exists, so that shortcuts
 * work. The first page leaves the focus to the browser.
 */
function takeFocus(main: { current: HTMLElement | null }): () => void {
	if (first) {
		first = false;
		return () => undefined;
	}
	const frame = requestAnimationFrame(() => {
		if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
	});
	return () => cancelAnimationFrame(frame);
}

/** One title, one primary action, filters, content. */
export function Page({ title, count, action, filters, wide = false, children }: Props) {
	useEffect(() => titlePage(title), [title]);
	const main = useRef<HTMLElement>(null);
	useEffect(() => takeFocus(main), []);
	return (
		<main id="main" ref={main} className={wide ? "page wide" : "page"} tabIndex={-1}>
			<header className="head">
				<h1 title={title}>{title}</h1>
				{count && <span className="faint">{count}</span>}
				<div className="actions">{action}</div>
			</header>
			{filters}
			{children}
		</main>
	);
}
