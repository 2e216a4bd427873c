import { useState } from "react";
import { Drawer } from "./Drawer";
import { Look } from "./Look";
import { places } from "./places";
import { chord, keysOn, setKeysOn } from "./useKeys";

const KEYS: [string, string][] = [
	[chord("K"), "Search or run a command"],
	["j  k", "Next, previous"],
	["Enter", "Open"],
	...places.map(({ after, label }): [string, string] => [`g  ${after}`, `Go to ${label}`]),
	["g  t", "Go to Settings"],
	["Esc", "Close"],
	["/", "Search the list"],
	["x", "Select a row"],
	["X", "Inbox: select all"],
	["e", "Inbox: done"],
	["p", "Inbox: positive"],
	["n", "Inbox: negative"],
	["u", "Inbox: neutral"],
	["r", "Inbox: reply"],
	["a", "Inbox: assign to me"],
	["A", "Inbox: assign to…"],
	["s", "Inbox: snooze until tomorrow"],
	["S", "Inbox: snooze until…"],
	["Space", "Inbox: scroll down"],
	["z", "Undo"],
	[chord("S"), "Save a campaign"],
	["?", "Show keyboard shortcuts"],
];

export default function Keys({ onClose }: { onClose: () => void }) {
	const [on, setOn] = useState(keysOn());
	return (
		<Drawer title="Keyboard shortcuts" onClose={onClose}>
			<dl className="keys-list">
				{KEYS.map(([key, does]) => (
					<div key={key}>
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{does}</dd>
					</div>
				))}
			</dl>
			<label className="check">
				<input
					type="checkbox"
					checked={on}
					onChange={() => {
						setKeysOn(!on);
						setOn(!on);
					}}
				/>{" "}
				Single-key shortcuts
			</label>
			<Look />
		</Drawer>
	);
}
