import { Bookmark } from "lucide-react";
import { useState } from "react";
import { dropView, keepView, viewsOf } from "../logic/views";
import { Confirm } from "./Confirm";
import { toast } from "./Toasts";
import { usePlace } from "./usePlace";

/** Saved filters of a list: a menu of them, and a button to save the present ones. */
export function Views({ list }: { list: string }) {
	const { params, navigate } = usePlace();
	const [views, setViews] = useState(() => viewsOf(list));
	const [naming, setNaming] = useState(false);
	const [name, setName] = useState("");
	const query = params.toString();
	const shown = views.find((view) => view.query === query);
	const save = async () => {
		setViews(keepView(list, { name: name.trim(), query }));
		toast("View saved.");
		setName("");
	};
	const remove = () => {
		if (!shown) return;
		setViews(dropView(list, shown.name));
		toast("View removed.", () => setViews(keepView(list, shown)));
	};
	return (
		<>
			{views.length > 0 && (
				<select
					className={shown ? "filter on" : "filter"}
					aria-label="Saved views"
					value={shown?.name ?? ""}
					onChange={(event) => {
						const chosen = views.find((view) => view.name === event.target.value);
						navigate(`/${list}${chosen ? `?${chosen.query}` : ""}`);
					}}
				>
					<option value="">Views</option>
					{views.map((view) => (
						<option key={view.name} value={view.name}>
							{view.name}
						</option>
					))}
				</select>
			)}
			{shown ? (
				<button type="button" className="link" onClick={remove}>
					Remove view
				</button>
			) : (
				query && (
					<button type="button" className="link" onClick={() => setNaming(true)}>
						<Bookmark size={14} aria-hidden /> Save view
					</button>
				)
			)}
			{naming && (
				<Confirm
					title="Save view"
					verb="Save view"
					safe
					idle={!name.trim()}
					act={save}
					onClose={() => setNaming(false)}
				>
					<label className="field">
						<span>Name</span>
						<input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" maxLength={60} />
					</label>
				</Confirm>
			)}
		</>
	);
}
