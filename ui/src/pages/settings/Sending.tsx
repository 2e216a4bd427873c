import { useState } from "react";
import { useChange, useOne } from "../../data";
import { MeDocument, UpdateMeDocument } from "../../gql/generated";
import { Field, FormError } from "../../parts/Field";
import { Failure, Skeleton } from "../../parts/states";
import { toast } from "../../parts/Toasts";

/** Rules that hold for all campaigns of the workspace. */
export function Sending() {
	const { data, error, refetch } = useOne(MeDocument, {});
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />;
	return <GapForm hours={data.me.contactGapHours} />;
}

function GapForm({ hours }: { hours: number }) {
	const [value, setValue] = useState(String(hours));
	const save = useChange(UpdateMeDocument, () => toast("Saved."));
	return (
		<div className="panel">
			<form
				onSubmit={(event) => {
					event.preventDefault();
					save.mutate({ input: { contactGapHours: value === "" ? null : Number(value) } });
				}}
			>
				<h2 className="form-title">Sending</h2>
				<Field
					label="Hours between campaigns"
					at="/contact_gap_hours"
					error={save.error}
					hint="A prospect gets no step within this time of a step of another campaign. 0 turns this off."
				>
					{(wired) => (
						<input
							{...wired}
							type="number"
							min={0}
							max={720}
							step={1}
							placeholder="20"
							value={value}
							onChange={(event) => setValue(event.target.value)}
						/>
					)}
				</Field>
				<FormError error={save.error} />
				<div className="buttons start">
					<button type="submit" className="primary" disabled={save.isPending || value === String(hours)}>
						{save.isPending ? "Saving…" : "Save"}
					</button>
				</div>
			</form>
		</div>
	);
}
