import { useEffect, useRef } from "react";

interface Props {
	html: string;
	title: string;
	/** Whether pictures of other servers are loaded. */
	remote?: boolean;
}

/** Shows a mail's HTML in a frame of an opaque origin, where no script of it runs and nothing else is loaded. */
export function MailFrame({ html, title, remote = false }: Props) {
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
	const src = remote ? "/frame-remote.html" : "/frame.html";
	return <iframe key={src} ref={frame} className="mail-frame" src={src} sandbox="allow-scripts" title={title} />;
}
