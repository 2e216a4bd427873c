import * as Ariakit from "@ariakit/react/dialog";
import { Search } from "lucide-react";
import { Below, Entry } from "./Layout";
import { places } from "./places";

interface Props {
	at: string | undefined;
	onClose: () => void;
	onFind: () => void;
	onKeys: () => void;
}

/** At phone width, what the bottom bar has no room for. */
export default function More({ at, onClose, onFind, onKeys }: Props) {
	return (
		<Ariakit.Dialog
			open
			onClose={onClose}
			unmountOnHide
			className="sheet"
			aria-label="More"
			preventBodyScroll={false}
			backdrop={<div className="backdrop" />}
		>
			<div onClick={onClose}>
				{places.slice(4).map((place) => (
					<Entry key={place.to} {...place} at={at} />
				))}
				<button type="button" className="entry" onClick={onFind}>
					<Search size={18} aria-hidden />
					<span>Find or do</span>
				</button>
				<Below at={at} onKeys={onKeys} />
			</div>
		</Ariakit.Dialog>
	);
}
