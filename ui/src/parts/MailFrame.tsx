import { useEffect, useRef } from "react";

/** Shows a mail's HTML in a frame of an opaque origin, where no script of it runs and nothing is loaded. */
export function MailFrame({ html, title }: { html: string; title: string }) {
	const frame = useRef<HTMLIFrameElement>(null);
	const latest = useRef(html);
	useEffect(() => {
		latest.current = html;
		// The frame's origin is opaque, so no narrower target can be named.
		frame.current?.contentWindow?.postMessage(html, "*");
	}, [html]);
	useEffect(() => {
		const ready = (event: MessageEvent<{ ready?: boolean }>) => {
			if (event.source === frame.current?.contentWindow && event.data.ready)
				frame.current?.contentWindow?.postMessage(latest.current, "*");
		};
		window.addEventListener("message", ready);
		return () => window.removeEventListener("message", ready);
	}, []);
	return <iframe ref={frame} className="mail-frame" src="/frame.html" sandbox="allow-scripts" title={title} />;
}
