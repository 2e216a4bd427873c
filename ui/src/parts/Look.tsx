import { useState } from "react";
import { capital } from "../logic/format";
import { densities, setDensity, useDensity } from "./density";
import { setTheme, type Theme, theme } from "./theme";

const themes: Theme[] = ["system", "light", "dark"];

/** How the application looks in this browser: its theme, and how high the rows of lists are. */
export function Look() {
	const [look, setLook] = useState(theme());
	const density = useDensity();
	return (
		<div className="two">
			<fieldset>
				<legend>Theme</legend>
				{themes.map((choice) => (
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
						{capital(choice)}
					</label>
				))}
			</fieldset>
			<fieldset>
				<legend>Lists</legend>
				{densities.map((choice) => (
					<label key={choice} className="check">
						<input type="radio" name="density" checked={density === choice} onChange={() => setDensity(choice)} />{" "}
						{capital(choice)}
					</label>
				))}
			</fieldset>
		</div>
	);
}
