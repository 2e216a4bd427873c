/** Eight in the morning, so many days after now. */
export function morning(days: number, now = new Date()): Date {
	const at = new Date(now);
	at.setDate(at.getDate() + days);
	at.setHours(8, 0, 0, 0);
	return at;
}

export const tomorrow = (now = new Date()) => morning(1, now);

/** The morning of the next Monday, which is never today. */
export const nextMonday = (now = new Date()) => morning(7 - ((now.getDay() + 6) % 7), now);
