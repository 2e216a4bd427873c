import { Plus, Trash2 } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { request } from "../../api";
import { addRow, dropRow, patchRow, refresh, useChange, useOne, useRows } from "../../data";
import {
	CreateSnippetDocument,
	DeleteSnippetDocument,
	SnippetDocument,
	type SnippetFieldsFragment,
	SnippetsDocument,
	UpdateSnippetDocument,
} from "../../gql/generated";
import { isRich, paragraphs, plainText } from "../../logic/richBody";
import { VARIABLES } from "../../logic/templateVariables";
import { Drawer } from "../../parts/Drawer";
import { EditorSpace } from "../../parts/EditorSpace";
import { Field, FormError } from "../../parts/Field";
import { FormButtons } from "../../parts/FormButtons";
import { ShortList } from "../../parts/ShortList";
import { Empty, Failure, Skeleton } from "../../parts/states";
import { toast, toastError } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";
import { usePlace } from "../../parts/usePlace";

const RichBody = lazy(() => import("../campaigns/RichBody"));

const none = {};

/** The HTML of a snippet; one of plain text becomes paragraphs. */
const htmlOf = ({ bodyHtml, bodyText }: SnippetFieldsFragment) => bodyHtml ?? paragraphs(bodyText ?? "");

/** The texts that "/" puts into an answer. */
export function Snippets({ id }: { id: string | undefined }) {
	const { open, close } = usePlace();
	const list = useRows(SnippetsDocument, (data) => data.snippets, {}, { size: 100 });
	const shut = () => close("/settings/snippets");
	const add = () => open("/settings/snippets/new");
	return (
		<section className="section" aria-labelledby="snippets">
			<header>
				<h2 id="snippets">Snippets</h2>
				<button type="button" className="primary" onClick={add}>
					<Plus size={14} aria-hidden /> New snippet
				</button>
			</header>
			<p className="faint">
				Texts that you write often. Type <kbd>/</kbd> in an answer to insert one; its variables are filled in. Everyone
				in the workspace has the same snippets.
			</p>
			<ShortList
				list={list}
				item={(snippet) => <Item key={snippet.id} snippet={snippet} />}
				empty={
					<Empty title="No snippets yet.">
						<button type="button" className="primary" onClick={add}>
							Add a snippet
						</button>
					</Empty>
				}
			/>
			{id === "new" && <SnippetForm onClose={shut} />}
			{id && id !== "new" && <Edit key={id} id={id} onClose={shut} />}
		</section>
	);
}

const shown = (snippet: SnippetFieldsFragment) => addRow("Snippets", snippet, () => true);

function Item({ snippet }: { snippet: SnippetFieldsFragment }) {
	const { id, name, bodyHtml, bodyText } = snippet;
	const bringBack = () =>
		void request(CreateSnippetDocument, { input: { name, bodyHtml, bodyText } }).then((data) => {
			shown(data.createSnippet);
			void refresh();
		}, toastError);
	const remove = useChange(DeleteSnippetDocument, () => {
		dropRow("Snippets", id);
		toast(`${name} deleted.`, bringBack);
	});
	return (
		<li>
			<span className="grow">
				<Link className="clip" href={`/settings/snippets/${id}`} state={{ over: true }} title={name}>
					{name}
				</Link>
				<small className="faint clip">{plainText(htmlOf(snippet))}</small>
			</span>
			<button
				type="button"
				className="icon"
				aria-label={`Delete ${name}`}
				title="Delete"
				disabled={remove.isPending}
				onClick={() => remove.mutate({ id }, { onError: toastError })}
			>
				<Trash2 size={16} aria-hidden />
			</button>
		</li>
	);
}

function Edit({ id, onClose }: { id: string; onClose: () => void }) {
	const { data, error, refetch } = useOne(SnippetDocument, { id }, { live: false });
	if (data) return <SnippetForm snippet={data.snippet} onClose={onClose} />;
	return (
		<Drawer title="Edit snippet" onClose={onClose}>
			{error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton kind="text" />}
		</Drawer>
	);
}

function SnippetForm({ snippet, onClose }: { snippet?: SnippetFieldsFragment; onClose: () => void }) {
	const { values, set, clear } = useDraft(`snippet.${snippet?.id ?? "new"}`, {
		name: snippet?.name ?? "",
		html: snippet ? htmlOf(snippet) : "",
	});
	const create = useChange(CreateSnippetDocument, (data) => {
		clear();
		shown(data.createSnippet);
		toast("Snippet added.");
	});
	const update = useChange(UpdateSnippetDocument, (data) => {
		clear();
		patchRow(data.updateSnippet);
		toast("Saved.");
	});
	const error = create.error ?? update.error;
	const send = () => {
		const input = { name: values.name, bodyHtml: values.html, bodyText: null };
		if (snippet) update.mutate({ id: snippet.id, input }, { onSuccess: onClose });
		else create.mutate({ input }, { onSuccess: onClose });
	};
	return (
		<Drawer title={snippet ? "Edit snippet" : "New snippet"} wide onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					send();
				}}
			>
				<Field label="Name" at="/name" error={error} hint="What you type after / to find it.">
					{(wired) => (
						<input
							{...wired}
							required
							data-autofocus
							autoComplete="off"
							value={values.name}
							onChange={(event) => set({ name: event.target.value })}
						/>
					)}
				</Field>
				<Field label="Text" at="/body_text" error={error} hint="Type {{ for variables.">
					{(wired) =>
						isRich(values.html) ? (
							<Suspense fallback={<EditorSpace html={values.html} />}>
								<RichBody
									wired={{ ...wired }}
									label="Text of the snippet"
									value={values.html}
									editable
									variables={VARIABLES}
									lacks={none}
									unfilled="nothing set: fill it in before you send"
									onChange={(html) => set({ html })}
								/>
							</Suspense>
						) : (
							<textarea
								{...wired}
								className="code"
								rows={10}
								value={values.html}
								onChange={(event) => set({ html: event.target.value })}
							/>
						)
					}
				</Field>
				<FormError error={error} />
				<FormButtons
					verb={snippet ? "Save" : "Add snippet"}
					busy={create.isPending || update.isPending}
					onCancel={() => {
						clear();
						onClose();
					}}
				/>
			</form>
		</Drawer>
	);
}
