import { expect, it } from 'vitest';
import { mergeHead, type Page } from './mergeHead';

const page = (ids: string, nextCursor: string | null = null): Page<{ id: string }> => ({ nodes: [...ids].map((id) => ({ id })), nextCursor });
const ids = (pages: { pages: Page<{ id: string }>[] }) => pages.pages.map(({ nodes, nextCursor }) => `${nodes.map(({ id }) => id).join('')}>${nextCursor ?? ''}`);
const two = { pages: [page('dc', 'c'), page('ba')], pageParams: [null, 'c'] };

it('puts news on top and keeps what was read further down', () => expect(ids(mergeHead(two, page('ed', 'd')))).toEqual(['edc>c', 'ba>']));
it('takes out what went away', () => expect(ids(mergeHead(two, page('db', 'b')))).toEqual(['dba>']));
it('keeps the very object when nothing changed', () => expect(mergeHead(two, page('dc', 'c'))).toBe(two));
it('sees a changed row', () => {
  const fresh = { nodes: [{ id: 'd', done: true }, { id: 'c', done: false }], nextCursor: 'c' };
  const old = { pages: [{ nodes: [{ id: 'd', done: false }, { id: 'c', done: false }], nextCursor: 'c' }, { nodes: [{ id: 'b', done: false }], nextCursor: null }], pageParams: [null, 'c'] };
  expect(mergeHead(old, fresh).pages[0]?.nodes[0]).toEqual({ id: 'd', done: true });
});
it('takes a list of one page anew, and leaves a longer one, when the two do not meet', () => {
  expect(ids(mergeHead({ pages: [page('dc', 'c')], pageParams: [null] }, page('zy', 'y')))).toEqual(['zy>y']);
  expect(mergeHead(two, page('zy', 'y'))).toBe(two);
});
it('knows a short list whole', () => expect(ids(mergeHead(two, page('x')))).toEqual(['x>']));
