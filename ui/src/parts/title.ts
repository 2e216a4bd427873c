// What the browser's tab says: the page, and before it how many replies wait.
let page = "",
	waiting = 0;
const show = () => {
	document.title = `${waiting > 0 ? `(${waiting > 99 ? "99+" : waiting}) ` : ""}${page} · Outreach`;
};

export const titlePage = (title: string) => {
	page = title;
	show();
};
export const titleWaiting = (replies: number) => {
	waiting = replies;
	show();
};
