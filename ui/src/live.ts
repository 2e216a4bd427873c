// The stream of news: one connection for all tabs of a browser. The tab that has the lock
// holds the stream and tells the others. When it is closed, another tab takes over.
import { refreshNews, refreshWriters, setFed } from "./data";

/** How long until a stream that the server refused is tried again. */
const AGAIN = 60_000;

interface Told {
	open?: boolean;
	news?: string;
	/** Ids of replies to which a user began or stopped to write an answer. */
	writing?: string[];
	/** A tab that has just begun asks whether the stream is open. */
	asks?: boolean;
}

/** Opens the stream and calls tell until stop is called. */
function stream(tell: (told: Told) => void): () => void {
	let source: EventSource;
	let timer: number | undefined;
	const open = () => {
		source = new EventSource("/live");
		source.onopen = () => tell({ open: true });
		source.onmessage = ({ data }: MessageEvent<string>) => tell({ news: data });
		for (const topic of ["reply", "anything"])
			source.addEventListener(topic, ({ data }: MessageEvent<string>) => tell({ news: data }));
		source.addEventListener("writing", ({ data }: MessageEvent<string>) => tell({ writing: data.split(" ") }));
		source.onerror = () => {
			tell({ open: false });
			if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(open, AGAIN);
		};
	};
	open();
	return () => {
		source.close();
		window.clearTimeout(timer);
	};
}

/** Listens to the news until the returned function is called. */
export function hearNews(): () => void {
	const others = "BroadcastChannel" in window ? new BroadcastChannel("outreach.live") : null;
	const ended = new AbortController();
	let leads = false;
	let isOpen = false;
	const take = ({ open, news, writing }: Told) => {
		if (open !== undefined) {
			if (open && !isOpen) refreshNews(); // news that came before the stream was open
			isOpen = open;
			setFed(open);
		}
		if (news !== undefined) refreshNews();
		if (writing) refreshWriters(writing);
	};
	if (others)
		others.onmessage = ({ data }: MessageEvent<Told>) => {
			if (data.asks && leads) others.postMessage({ open: isOpen });
			else if (!leads) take(data);
		};
	const lead = () =>
		new Promise<void>((end) => {
			leads = true;
			const stop = stream((told) => {
				take(told);
				others?.postMessage(told);
			});
			ended.signal.addEventListener("abort", () => {
				stop();
				end();
			});
		});
	others?.postMessage({ asks: true });
	if (others && "locks" in navigator)
		navigator.locks.request("outreach.live", { signal: ended.signal }, lead).catch(() => undefined);
	else void lead();
	return () => {
		ended.abort();
		others?.close();
		setFed(false);
	};
}
