import * as Ariakit from "@ariakit/react/menu";
import { Braces } from "lucide-react";
import { useRef } from "react";

interface Props {
	label: string;
	variables: string[];
	/** How many people have no value, in words, by variable. */
	lacks?: Record<string, string>;
	onPick: (name: string) => void;
	className?: string;
}

/** A button with the variables; typing goes to the first that begins so. */
export function VariableMenu({ label, variables, lacks, onPick, className }: Props) {
	// The question that follows a choice takes the focus; without a choice it goes back to the button.
	const picked = useRef(false);
	const pick = (name: string) => {
		picked.current = true;
		onPick(name);
	};
	return (
		<Ariakit.MenuProvider
			placement="bottom-end"
			setOpen={(open) => {
				if (open) picked.current = false;
			}}
		>
			<Ariakit.MenuButton className={className ?? "link"} aria-label={label} title={label}>
				<Braces size={14} aria-hidden /> Variable
			</Ariakit.MenuButton>
			<Ariakit.Menu
				className="options menu variables"
				gutter={4}
				portal
				unmountOnHide
				autoFocusOnHide={() => !picked.current}
			>
				{variables.map((name) => (
					<Ariakit.MenuItem key={name} className="option" onClick={() => pick(name)} hideOnClick>
						<code>{name}</code>
						{lacks?.[name] && <small className="faint">{lacks[name]}</small>}
					</Ariakit.MenuItem>
				))}
			</Ariakit.Menu>
		</Ariakit.MenuProvider>
	);
}
