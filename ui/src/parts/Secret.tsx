import { Copy, Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { ScrollX } from "./ScrollX";
import { copy } from "./Toasts";

/** A secret that was just handed out: shown, copied on its own button, gone when the page is left. */
export function Secret({ value, label, once }: { value: string; label: string; once?: string }) {
	const [open, setOpen] = useState(true);
	return (
		<div className="section">
			<div className="secret">
				<figure aria-label={label}>
					<code>{open ? value : `${value.slice(0, 10)}…`}</code>
				</figure>
				<button type="button" onClick={() => copy(value, label)}>
					<Copy size={14} aria-hidden /> Copy
				</button>
				<button type="button" className="icon" aria-label={open ? "Hide" : "Show"} onClick={() => setOpen(!open)}>
					{open ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
				</button>
			</div>
			{once && <p className="faint">{once}</p>}
		</div>
	);
}

export function CodeBox({ code, label, wrap = false }: { code: string; label: string; wrap?: boolean }) {
	return (
		<div className={wrap ? "code-box wrap" : "code-box"}>
			<ScrollX label={`${label}, text`}>
				<pre>{code}</pre>
			</ScrollX>
			<button type="button" onClick={() => copy(code, label)}>
				<Copy size={12} aria-hidden /> Copy
			</button>
		</div>
	);
}
