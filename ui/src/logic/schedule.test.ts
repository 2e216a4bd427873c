import { expect, it } from 'vitest';
import { days, sentence, timezones } from './schedule';

it.each([
  [['mon', 'tue', 'wed', 'thu', 'fri'], 'Mon to Fri'], [['sun', 'sat'], 'Sat, Sun'], [['mon', 'tue', 'wed', 'fri'], 'Mon to Wed, Fri'], [[], 'No day'], [['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 'Every day'],
] as const)('%j reads %s', (chosen, want) => expect(days([...chosen])).toBe(want));

it('says a schedule as a sentence', () => {
  expect(sentence({ sendDays: ['mon', 'tue', 'wed', 'thu', 'fri'], sendFrom: '09:00', sendUntil: '17:00', timezone: 'Europe/Paris', dailyNewLimit: 40 }))
    .toBe("Mon to Fri, 09:00 to 17:00 in the prospect's time zone (else Europe/Paris), at most 40 new a day");
  expect(sentence({ sendDays: ['sat'], sendFrom: '00:00', sendUntil: '23:59', timezone: 'UTC', dailyNewLimit: null })).toBe("Sat, all day in the prospect's time zone (else UTC)");
});

it('offers UTC first and once', () => expect(timezones().filter((zone) => zone === 'UTC')).toEqual([timezones()[0]]));
