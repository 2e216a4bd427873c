import { expect, test } from "vitest";
import { filled, funnel } from "./funnel";

const counts = { prospects: 300, clicked: 25, replied: 31, positive: 12, opens: 90 };
const drawn = (...given: Parameters<typeof funnel>) =>
	funnel(...given).map((stage) => `${stage.label} ${stage.n}/${stage.whole ?? "-"} ${Math.round(filled(stage))}`);

test("rates are of those who were written to", () => {
	expect(drawn(counts, 250, { opens: true, clicks: true })).toEqual([
		"People 300/- 100",
		"Written to 250/300 83",
		"Opened 90/250 36",
		"Clicked 25/250 10",
		"Replied 31/250 12",
		"Positive 12/250 5",
	]);
});

test("what is not tracked is left out, unless it was tracked before", () => {
	const keys = (opens: number, clicked: number) =>
		funnel({ ...counts, opens, clicked }, 250, { opens: false, clicks: false }).map(({ key }) => key);
	expect(keys(0, 0)).toEqual(["enrolled", "contacted", "replied", "positive"]);
	expect(keys(3, 2)).toEqual(["enrolled", "contacted", "opened", "clicked", "replied", "positive"]);
});

test("no more people have opened than were written to", () => {
	const opened = funnel({ ...counts, opens: 900 }, 250, { opens: true, clicks: true })[2];
	expect(opened).toMatchObject({ key: "opened", n: 250, atMost: true });
});

test("without anyone written to a bar is empty", () => {
	expect(
		drawn({ ...counts, clicked: 0, replied: 0, positive: 0, opens: 0 }, 0, { opens: false, clicks: true }),
	).toEqual(["People 300/- 100", "Written to 0/300 0", "Clicked 0/0 0", "Replied 0/0 0", "Positive 0/0 0"]);
});
