import * as Ariakit from "@ariakit/react/dialog";
import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { places } from "./places";
import { Below, Entry } from "./Rail";

interface Props {
	at: string | undefined;
	onClose: () => void;
	onFind: () => void;
	onKeys: () => void;
}

/** The entries that the bottom bar of a phone has no room for. */
export default function More({ at, onClose, onFind, onKeys }: Props) {
	const [location] = useLocation();
	const opened = useRef(location);
	useEffect(() => {
		if (location !== opened.current) onClose();
	}, [location, onClose]);
	const instead = (open: () => void) => () => {
		onClose();
		open();
	};
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
			<div>
				{places.slice(4).map((place) => (
					<Entry key={place.to} {...place} at={at} />
				))}
				<button type="button" className="entry" onClick={instead(onFind)}>
					<Search size={18} aria-hidden />
					<span>Search or run a command</span>
				</button>
				<Below at={at} onKeys={instead(onKeys)} />
			</div>
		</Ariakit.Dialog>
	);
}
