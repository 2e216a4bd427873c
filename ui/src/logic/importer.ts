import { ApiError } from '../api';
import type { BulkProspectsMutation, OnExisting, ProspectInput } from '../gql/generated';

type Result = BulkProspectsMutation['bulkProspects']['results'][number];
export interface ImportRow { line: number; input: ProspectInput }
export interface Refused { line: number; email: string; reason: string }
export interface ImportState {
  phase: 'idle' | 'running' | 'waiting' | 'done';
  file: string; total: number; done: number; created: number; updated: number; skipped: number;
  refused: Refused[]; ids: string[]; startedAt: number; finishedAt: number; note: string;
}
export type Send = (prospects: ProspectInput[], onExisting: OnExisting) => Promise<Result[]>;

const idle: ImportState = { phase: 'idle', file: '', total: 0, done: 0, created: 0, updated: 0, skipped: 0, refused: [], ids: [], startedAt: 0, finishedAt: 0, note: '' };
/** What the server takes at once. */
export const CHUNK = 1_000;
const PASSING = ['offline', 'unavailable', 'rate_limited', 'unauthorized', 'internal'];

/**
 * Sends rows a thousand at a time and lives outside of any page, so that one can
 * leave and come back. A chunk whose answer was lost is sent again: rows that
 * had been stored then count as skipped (or updated), never twice.
 */
export class Importer {
  private state: ImportState = idle;
  private watchers = new Set<() => void>();
  private stopping = false;
  constructor(private readonly send: Send, private readonly pause = (ms: number) => new Promise<void>((resolve) => { setTimeout(resolve, ms); })) {}

  read = (): ImportState => this.state;
  watch = (watcher: () => void): (() => void) => { this.watchers.add(watcher); return () => { this.watchers.delete(watcher); }; };
  stop = (): void => { this.stopping = true; };
  reset = (): void => this.set(idle);
  private set(part: Partial<ImportState>): void { this.state = { ...this.state, ...part }; this.watchers.forEach((watcher) => watcher()); }

  async run(file: string, rows: ImportRow[], onExisting: OnExisting, refused: Refused[]): Promise<void> {
    this.stopping = false;
    this.set({ ...idle, phase: 'running', file, total: rows.length, refused: [...refused], startedAt: Date.now() });
    for (let from = 0; from < rows.length && !this.stopping; from += CHUNK) await this.chunk(rows.slice(from, from + CHUNK), onExisting);
    this.set({ phase: 'done', finishedAt: Date.now(), note: this.stopping ? 'Stopped before the end.' : '' });
  }

  private async chunk(rows: ImportRow[], onExisting: OnExisting): Promise<void> {
    for (let attempt = 0; !this.stopping; attempt++) {
      try {
        this.count(rows, await this.send(rows.map(({ input }) => input), onExisting));
        return;
      } catch (error) {
        const code = error instanceof ApiError ? error.code : 'internal';
        const message = error instanceof Error ? error.message : String(error);
        if (!PASSING.includes(code) || (code === 'internal' && attempt >= 3)) { this.refuse(rows, message); return; }
        this.set({ phase: 'waiting', note: message });
        await this.pause(Math.min(10_000, 1_000 * 2 ** attempt));
      }
    }
  }

  private count(rows: ImportRow[], results: Result[]): void {
    const of = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
    const { created, updated, skipped, done, refused, ids } = this.state;
    for (const { prospectId } of results) if (prospectId) ids.push(prospectId);
    for (const { outcome, index, errors } of results) {
      const row = rows[index];
      if (outcome === 'invalid' && row) refused.push({ line: row.line, email: row.input.email ?? '', reason: errors.map(({ detail }) => detail).join(' ') });
    }
    this.set({ phase: 'running', note: '', done: done + rows.length, created: created + of('created'), updated: updated + of('updated'), skipped: skipped + of('skipped') });
  }

  private refuse(rows: ImportRow[], reason: string): void {
    this.state.refused.push(...rows.map(({ line, input }) => ({ line, email: input.email ?? '', reason })));
    this.set({ phase: 'running', done: this.state.done + rows.length });
  }
}
