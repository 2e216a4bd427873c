// How times, numbers and names read. Everything is given its "now".

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const units: [Intl.RelativeTimeFormatUnit, number][] = [['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ['day', 86_400], ['hour', 3_600], ['minute', 60]];

/** "3 min. ago", "in 2 hr."; within 45 seconds it is "just now". */
export function ago(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (Number.isNaN(seconds)) return iso;
  if (Math.abs(seconds) < 45) return seconds > 15 ? 'in a moment' : 'just now';
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return relative.format(Math.sign(seconds), 'minute');
}

const exactly = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const shortly = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** To the minute, for where there is little room. */
export const toTheMinute = (iso: string) => shortly.format(new Date(iso));
export const exact = (iso: string) => exactly.format(new Date(iso));

const grouped = new Intl.NumberFormat('en');
export const count = (n: number) => grouped.format(n);

/** "1 prospect", "1,204 prospects", "2 entries". */
export const plural = (n: number, one: string, many = one.replace(/([^aeiou])y$/, '$1ie') + 's') => `${count(n)} ${n === 1 ? one : many}`;

/** The share as "12.5 %"; a dash when there is nothing to share. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${(Math.round((part / whole) * 1000) / 10).toLocaleString('en')} %`;
}

/** The change against the period before: "+25 %", "−10 %", "new", "". */
export function change(now: number, before: number): string {
  if (now === before) return '±0 %';
  if (before === 0) return 'new';
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${count(Math.abs(percent))} %`;
}

/** "2 days", "1 day 3 h", "45 min", "at once". */
export function delay(minutes: number): string {
  if (minutes === 0) return 'at once';
  const days = Math.floor(minutes / 1440), hours = Math.floor((minutes % 1440) / 60), rest = minutes % 60;
  return [days && plural(days, 'day'), hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ');
}

/** Seconds as "12 s", "3 min 20 s", "1 h 5 min". */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min${s % 60 ? ` ${s % 60} s` : ''}`;
  return `${Math.floor(s / 3600)} h${Math.floor((s % 3600) / 60) ? ` ${Math.floor((s % 3600) / 60)} min` : ''}`;
}

interface Named { email: string; firstName?: string | null; lastName?: string | null }
export const nameOf = (p: Named) => [p.firstName, p.lastName].filter(Boolean).join(' ') || p.email;

/** "in_sequence" as "In sequence". */
export const words = (value: string) => { const text = value.replaceAll('_', ' '); return text.charAt(0).toUpperCase() + text.slice(1); };
