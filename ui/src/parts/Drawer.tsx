import * as Ariakit from "@ariakit/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { heading } from "./heading";
import { besideDialogs } from "./Toasts";

interface Props {
	title: string;
	onClose: () => void;
	subtitle?: ReactNode;
	actions?: ReactNode;
	wide?: boolean;
	children: ReactNode;
}

// What had the focus before the first of the drawers that take turns (a prospect,
// its form, the prospect again). Where it is gone, the page itself takes the focus.
let before: Element | null = null;
const behind = {
	get current() {
		return (
			before?.isConnected && before !== document.body ? before : document.getElementById("main")
		) as HTMLElement | null;
	},
};
function remember(): void {
	if (!document.activeElement?.closest('[role="dialog"]')) before = document.activeElement;
}

/** Details over the list they belong to. Focus is kept inside; Escape and Back close it. */
export function Drawer({ title, onClose, subtitle, actions, wide = false, children }: Props) {
	useState(remember);
	return (
		<Ariakit.Dialog
			open
			onClose={onClose}
			finalFocus={behind}
			getPersistentElements={besideDialogs}
			preventBodyScroll={false}
			unmountOnHide
			className={wide ? "drawer wide" : "drawer"}
			backdrop={<div className="backdrop" />}
		>
			<header className="drawer-head">
				<div className="grow">
					<Ariakit.DialogHeading render={heading} title={title}>
						{title}
					</Ariakit.DialogHeading>
					{subtitle && <div className="faint clip">{subtitle}</div>}
				</div>
				{actions}
				<Ariakit.DialogDismiss className="icon" aria-label="Close">
					<X size={18} aria-hidden />
				</Ariakit.DialogDismiss>
			</header>
			<div className="drawer-body">{children}</div>
		</Ariakit.Dialog>
	);
}
