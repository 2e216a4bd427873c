import type { HTMLAttributes } from "react";

/** The heading of a dialog or drawer: always of the second level, below that of the page. */
export const heading = (props: HTMLAttributes<HTMLHeadingElement>) => <h2 {...props} />;
