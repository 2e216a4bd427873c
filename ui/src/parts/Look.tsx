import { useState } from "react";
import { setTheme, type Theme, theme } from "./theme";

/** Light or dark, in this browser. */
export function Look() {
	const [look, setLook] = useState(theme());
	return (
		<fieldset>
			<legend>Look</legend>
			{(["system", "light", "dark"] satisfies Theme[]).map((choice) => (
				<label key={choice} className="check">
					<input
						type="radio"
						name="look"
						checked={look === choice}
						onChange={() => {
							setTheme(choice);
							setLook(choice);
						}}
					/>{" "}
					{choice === "system" ? "As the system" : choice === "light" ? "Light" : "Dark"}
				</label>
			))}
		</fieldset>
	);
}
