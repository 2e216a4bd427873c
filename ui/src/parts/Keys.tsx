import { useState } from "react";
import { Drawer } from "./Drawer";
import { Look } from "./Look";
import { places } from "./places";
import { chord, keysOn, setKeysOn } from "./useKeys";

const KEYS: [group: string, keys: [key: string, does: string][]][] = [
	[
		"Everywhere",
		[
			[chord("K"), "Search or run a command"],
			["/", "Search the list"],
			["j  k", "Next, previous"],
			["Enter", "Open"],
			["x", "Select a row"],
			["Esc", "Close"],
			["z", "Undo"],
			[chord("S"), "Save a campaign"],
			["?", "Show keyboard shortcuts"],
		],
	],
	[
		"Inbox",
		[
			["r", "Reply"],
			["e", "Done"],
			["p", "Positive"],
			["u", "Neutral"],
			["n", "Negative"],
			["a", "Assign to me"],
			["A", "Assign to…"],
			["s", "Snooze until tomorrow"],
			["S", "Snooze until…"],
			["X", "Select all"],
			["Space", "Scroll down"],
		],
	],
	["Go to", [...places.map(({ after, label }): [string, string] => [`g  ${after}`, label]), ["g  t", "Settings"]]],
];

export default function Keys({ onClose }: { onClose: () => void }) {
	const [on, setOn] = useState(keysOn());
	return (
		<Drawer title="Keyboard shortcuts" onClose={onClose}>
			<div className="keys-groups">
				{KEYS.map(([group, keys]) => (
					<section key={group}>
						<h3>{group}</h3>
						<dl className="keys-list">
							{keys.map(([key, does]) => (
								<div key={key}>
									<dt>
										<kbd>{key}</kbd>
									</dt>
									<dd>{does}</dd>
								</div>
							))}
						</dl>
					</section>
				))}
			</div>
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
