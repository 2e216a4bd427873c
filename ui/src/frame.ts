// The page inside the preview's frame. It is served with a policy of its own
// that allows a mail's inline styles and no script but this one, and it runs in
// an opaque origin: it cannot access the session or the application.
window.addEventListener("message", (event: MessageEvent<unknown>) => {
	if (event.source !== window.parent || typeof event.data !== "string") return;
	document.body.innerHTML = event.data;
	for (const link of document.querySelectorAll("a")) link.setAttribute("tabindex", "-1");
	window.parent.postMessage({ height: document.documentElement.scrollHeight }, "*");
});
document.addEventListener("click", (event) => event.preventDefault());
window.parent.postMessage({ ready: true }, "*");

export {};
