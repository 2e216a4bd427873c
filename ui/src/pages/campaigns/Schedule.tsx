import type { ApiError } from "../../api";
import type { CampaignDraft } from "../../logic/campaignDraft";
import { words } from "../../logic/format";
import { readClock, sentence, WEEK } from "../../logic/schedule";
import { timezones } from "../../logic/timezones";
import { Field } from "../../parts/Field";
import { SkipDates } from "./SkipDates";

interface Props {
	draft: CampaignDraft;
	set: (part: Partial<CampaignDraft>) => void;
	error: ApiError | null;
	editable: boolean;
}

export function Schedule({ draft, set, error, editable }: Props) {
	const limit = (text: string) => (text ? Number(text) : null);
	const limits = {
		dailyNewLimit: limit(draft.dailyNewLimit),
		companyDailyLimit: limit(draft.companyDailyLimit),
	};
	return (
		<fieldset disabled={!editable} className="panel">
			<p className="note" role="status">
				<span>{sentence({ ...draft, ...limits })}.</span>
			</p>
			<div>
				<Field label="Name" at="/name" error={error}>
					{(wired) => <input {...wired} value={draft.name} onChange={(event) => set({ name: event.target.value })} />}
				</Field>
				<fieldset className="field">
					<legend>Days</legend>
					<div className="days">
						{WEEK.map((day) => (
							<label key={day}>
								<input
									type="checkbox"
									checked={draft.sendDays.includes(day)}
									onChange={() =>
										set({
											sendDays: draft.sendDays.includes(day)
												? draft.sendDays.filter((had) => had !== day)
												: WEEK.filter((had) => had === day || draft.sendDays.includes(had)),
										})
									}
								/>
								<span>{words(day)}</span>
							</label>
						))}
					</div>
				</fieldset>
				<div className="two">
					<Field label="From" at="/send_from" error={error}>
						{(wired) => <Clock {...wired} value={draft.sendFrom} onChange={(sendFrom) => set({ sendFrom })} />}
					</Field>
					<Field label="Until" at="/send_until" error={error}>
						{(wired) => <Clock {...wired} value={draft.sendUntil} onChange={(sendUntil) => set({ sendUntil })} />}
					</Field>
					<Field label="Default time zone" at="/timezone" error={error}>
						{(wired) => (
							<select {...wired} value={draft.timezone} onChange={(event) => set({ timezone: event.target.value })}>
								{[...new Set([draft.timezone, ...timezones()])].map((zone) => (
									<option key={zone}>{zone}</option>
								))}
							</select>
						)}
					</Field>
					<Field label="New prospects per day" at="/daily_new_limit" error={error} hint="Leave empty for no limit">
						{(wired) => (
							<input
								{...wired}
								type="number"
								min={1}
								value={draft.dailyNewLimit}
								onChange={(event) => set({ dailyNewLimit: event.target.value })}
							/>
						)}
					</Field>
					<Field
						label="New prospects per company and day"
						at="/company_daily_limit"
						error={error}
						hint="Leave empty for no limit"
					>
						{(wired) => (
							<input
								{...wired}
								type="number"
								min={1}
								value={draft.companyDailyLimit}
								onChange={(event) => set({ companyDailyLimit: event.target.value })}
							/>
						)}
					</Field>
				</div>
				<div className="two">
					<Field label="Starts on" at="/starts_on" error={error} hint="Nothing is sent before this date">
						{(wired) => (
							<input
								{...wired}
								type="date"
								value={draft.startsOn}
								onChange={(event) => set({ startsOn: event.target.value })}
							/>
						)}
					</Field>
					<Field label="Ends on" at="/ends_on" error={error} hint="Nothing is sent after this date">
						{(wired) => (
							<input
								{...wired}
								type="date"
								value={draft.endsOn}
								onChange={(event) => set({ endsOn: event.target.value })}
							/>
						)}
					</Field>
				</div>
				<SkipDates dates={draft.skipDates} onChange={(skipDates) => set({ skipDates })} error={error} />
				<fieldset>
					<legend>Rules</legend>
					{(
						[
							["stopOnReply", "Stop when someone replies"],
							["stopCompanyOnReply", "Stop for the whole company when someone there replies"],
							["trackClicks", "Track clicks (needs a verified tracking domain)"],
							[
								"trackOpens",
								"Track opens (an upper bound: mail programs and scanners count too). " +
									"The invisible image makes spam filters more suspicious: SpamAssassin adds 0.6 points, and calls a mail spam at 5",
							],
						] as const
					).map(([key, label]) => (
						<label className="check" key={key}>
							<input type="checkbox" checked={draft[key]} onChange={() => set({ [key]: !draft[key] })} /> {label}
						</label>
					))}
				</fieldset>
			</div>
		</fieldset>
	);
}

/** A time of day in 24 hours; a browser's own field would have its language's form. */
function Clock({ value, onChange, ...wired }: { value: string; onChange: (value: string) => void; id: string }) {
	const settle = () => {
		const read = readClock(value);
		if (read !== value) onChange(read);
	};
	return (
		<input
			{...wired}
			required
			autoComplete="off"
			maxLength={10}
			placeholder="09:00"
			value={value}
			onChange={(event) => onChange(event.target.value)}
			onBlur={settle}
		/>
	);
}
