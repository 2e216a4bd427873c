import { plainText } from "../logic/richBody";

/** The space of a rich text editor with the text that it will show, so that nothing moves when it has been loaded. */
export function EditorSpace({ html }: { html: string }) {
	return (
		<div className="rich-body loading" role="status" aria-label="Loading">
			<div className="composer-tools" />
			<div className="composer-text">
				{plainText(html)
					.split("\n\n")
					.map((paragraph, n) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a paragraph is its place
						<p key={n}>{paragraph}</p>
					))}
			</div>
		</div>
	);
}
