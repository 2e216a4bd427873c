import { X } from "lucide-react";
import { useState } from "react";
import type { ApiError } from "../../api";
import { date } from "../../logic/schedule";
import { Field } from "../../parts/Field";

interface Props {
	dates: string[];
	onChange: (dates: string[]) => void;
	error: ApiError | null;
}

/** The dates on which nothing is sent: a list, and a field that adds to it. */
export function SkipDates({ dates, onChange, error }: Props) {
	const [picked, setPicked] = useState("");
	const add = () => {
		if (!picked) return;
		onChange([...new Set([...dates, picked])].sort());
		setPicked("");
	};
	return (
		<Field label="Dates to skip" at="/skip_dates" error={error} hint="Nothing is sent on these dates, such as holidays">
			{(wired) => (
				<>
					{dates.length > 0 && (
						<ul className="tokens">
							{dates.map((one) => (
								<li key={one}>
									{date(one)}
									<button
										type="button"
										className="icon"
										aria-label={`Remove ${date(one)}`}
										onClick={() => onChange(dates.filter((other) => other !== one))}
									>
										<X size={12} aria-hidden />
									</button>
								</li>
							))}
						</ul>
					)}
					<div className="add-date">
						<input {...wired} type="date" value={picked} onChange={(event) => setPicked(event.target.value)} />
						<button type="button" onClick={add} disabled={!picked}>
							Add date
						</button>
					</div>
				</>
			)}
		</Field>
	);
}
