import { expect, it } from 'vitest';
import { ApiError } from '../api';
import { Importer, type ImportRow, type Send } from './importer';

const rows = (n: number): ImportRow[] => Array.from({ length: n }, (_, at) => ({ line: at + 2, input: { email: `p${at}@x.example` } }));
const created: Send = (prospects) => Promise.resolve(prospects.map((_, index) => ({ index, outcome: 'created', prospectId: `id${index}`, errors: [] })));
const noWait = () => Promise.resolve();

it('sends a thousand at a time and counts all', async () => {
  const sizes: number[] = [];
  const importer = new Importer((prospects, onExisting) => { sizes.push(prospects.length); return created(prospects, onExisting); }, noWait);
  await importer.run('a.csv', rows(2_500), 'skip', []);
  expect(sizes).toEqual([1000, 1000, 500]);
  expect(importer.read()).toMatchObject({ phase: 'done', done: 2500, created: 2500, refused: [] });
});

it('waits for a server that is away and loses no row', async () => {
  let calls = 0;
  const phases = new Set<string>();
  const importer = new Importer((prospects, onExisting) => { if (++calls === 2 || calls === 3) throw new ApiError('away', 'offline'); return created(prospects, onExisting); }, noWait);
  importer.watch(() => phases.add(importer.read().phase));
  await importer.run('a.csv', rows(3_000), 'skip', []);
  expect([...phases]).toContain('waiting');
  expect(importer.read()).toMatchObject({ done: 3000, created: 3000, refused: [] });
});

it('writes down with its line what the server refuses', async () => {
  const importer = new Importer((prospects) => Promise.resolve(prospects.map((_, index) => (index === 1
    ? { index, outcome: 'invalid' as const, prospectId: null, errors: [{ pointer: '/email', code: 'invalid', detail: 'No such domain.' }] }
    : { index, outcome: 'skipped' as const, prospectId: 'x', errors: [] }))), noWait);
  await importer.run('a.csv', rows(3), 'skip', [{ line: 9, email: '', reason: 'No e-mail address.' }]);
  expect(importer.read()).toMatchObject({ skipped: 2, refused: [{ line: 9 }, { line: 3, email: 'p1@x.example', reason: 'No such domain.' }] });
});

it('gives a chunk up that the server will never take, and goes on', async () => {
  let calls = 0;
  const importer = new Importer((prospects, onExisting) => { if (++calls === 1) throw new ApiError('too large', 'payload_too_large'); return created(prospects, onExisting); }, noWait);
  await importer.run('a.csv', rows(1_500), 'update', []);
  expect(importer.read()).toMatchObject({ done: 1500, created: 500 });
  expect(importer.read().refused).toHaveLength(1000);
});

it('stops when told', async () => {
  const importer = new Importer((prospects, onExisting) => { importer.stop(); return created(prospects, onExisting); }, noWait);
  await importer.run('a.csv', rows(5_000), 'skip', []);
  expect(importer.read()).toMatchObject({ phase: 'done', done: 1000, note: 'Stopped before the end.' });
});
