/** The top of a scale of whole numbers. It is even, so that half of it is a whole number too. */
export function niceTop(most: number, least = 2): number {
	const wanted = Math.max(most, least);
	for (let unit = 1; ; unit *= 10) for (const step of [2, 4, 6, 8, 10]) if (step * unit >= wanted) return step * unit;
}

/** The days that are named below a chart: Mondays, but for one that is too near to the end to have room. */
export function namedDays(dates: string[]): number[] {
	return dates.flatMap((date, at) =>
		new Date(`${date}T00:00:00Z`).getUTCDay() === 1 && at / dates.length <= 0.94 ? [at] : [],
	);
}
