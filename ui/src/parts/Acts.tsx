import * as Ariakit from "@ariakit/react/menu";
import { Ellipsis, type LucideIcon } from "lucide-react";
import { useRef } from "react";
import { usePhone } from "./useMedia";

export interface Act {
	label: string;
	icon: LucideIcon;
	act: () => void;
	disabled?: boolean;
	/** Whether it is on, of an action that turns something on and off. */
	on?: boolean;
}

interface Props {
	/** The name of the menu. */
	label: string;
	acts: Act[];
}

/** Actions with an icon each, side by side; on a phone one menu. */
export function Acts({ label, acts }: Props) {
	if (usePhone()) return <ActMenu label={label} acts={acts} />;
	return acts.map(({ label, icon: Icon, act, disabled }) => (
		<button
			key={label}
			type="button"
			className="icon"
			aria-label={label}
			title={label}
			disabled={disabled}
			onClick={act}
		>
			<Icon size={16} aria-hidden />
		</button>
	));
}

/** Reports whether the focus goes back to the button: not where the action has put it elsewhere. */
const unlessTaken = () =>
	document.activeElement === document.body || !!document.activeElement?.closest('[role="menu"]');

/** A button with three dots, and behind it the actions. */
export function ActMenu({ label, acts }: Props) {
	const button = useRef<HTMLButtonElement>(null);
	return (
		<Ariakit.MenuProvider placement="bottom-end">
			<Ariakit.MenuButton
				ref={button}
				className={acts.some(({ on }) => on) ? "icon pressed" : "icon"}
				aria-label={label}
				title={label}
			>
				<Ellipsis size={18} aria-hidden />
			</Ariakit.MenuButton>
			<Ariakit.Menu className="options menu" gutter={4} unmountOnHide autoFocusOnHide={unlessTaken}>
				{acts.map(({ label, icon: Icon, act, disabled, on }) => (
					<Ariakit.MenuItem
						key={label}
						className="option"
						role={on === undefined ? undefined : "menuitemcheckbox"}
						aria-checked={on}
						disabled={disabled}
						onClick={() => {
							button.current?.focus(); // where a dialog of the action leaves the focus
							act();
						}}
					>
						<Icon size={16} aria-hidden />
						{label}
					</Ariakit.MenuItem>
				))}
			</Ariakit.Menu>
		</Ariakit.MenuProvider>
	);
}
