import type { ReactNode } from "react";

/** Holds what may be wider than the screen, and scrolls it by mouse and by keys. */
export function ScrollX({ label, children }: { label: string; children: ReactNode }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys can scroll it only while it has the focus
		<section className="scroll-x" aria-label={label} tabIndex={0}>
			{children}
		</section>
	);
}
