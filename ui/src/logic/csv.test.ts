import { describe, expect, it } from 'vitest';
import { guess, judge, toCSV, toProspect } from './csv';

describe('guess', () => {
  it('knows the usual names of columns', () => expect(guess(['E-Mail Address', 'Prénom', 'Surname', 'Company Name', 'LinkedIn URL', 'Team Size'])).toEqual({
    'E-Mail Address': 'email', 'Prénom': 'firstName', 'Surname': 'lastName', 'Company Name': 'companyName', 'LinkedIn URL': 'linkedinUrl', 'Team Size': 'custom:team_size',
  }));
  it('gives a field to one column only', () => expect(guess(['email', 'mail'])).toEqual({ email: 'email', mail: 'custom:mail' }));
});

it('makes a prospect of a row and leaves out what is empty', () => {
  expect(toProspect({ mail: ' ada@x.example ', name: '', size: '12' }, { mail: 'email', name: 'firstName', size: 'custom:team_size', other: '' })).toEqual({ email: 'ada@x.example', customFields: { team_size: '12' } });
});

it('sorts rows before anything is sent', () => {
  const rows = ['ada@x.example', '', 'no address', 'ADA@X.example', 'bob@x.example'].map((email) => ({ email }));
  const { valid, invalid, twice } = judge(rows, { email: 'email' });
  expect(valid.map(({ line }) => line)).toEqual([2, 6]);
  expect(invalid.map(({ line, reason }) => [line, reason])).toEqual([[3, 'No e-mail address.'], [4, 'Not an e-mail address.']]);
  expect(twice).toEqual([{ line: 5, what: 'ADA@X.example', pointer: '/email', reason: 'The same address stands in line 2.' }]);
});

it('writes CSV that no spreadsheet runs', () => expect(toCSV([['a"b', '=1+1'], [-3, null]])).toBe('"a""b","\'=1+1"\r\n"\'-3",""'));
