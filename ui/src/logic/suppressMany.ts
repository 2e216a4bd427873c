import { ApiError } from '../api';

export interface SuppressProgress { done: number; total: number; made: number; already: number; failed: { text: string; reason: string }[]; startedAt: number; running: boolean }

/** Addresses and domains from whatever was pasted: one a line, or the first column of a CSV file. */
export function readList(text: string): string[] {
  const cells = text.split(/\r?\n/).map((line) => (line.split(/[,;\t]/)[0] ?? '').trim().replace(/^"|"$/g, '').replace(/^@/, ''));
  return [...new Set(cells.filter((cell) => cell.includes('.') && !/\s/.test(cell)).map((cell) => cell.toLowerCase()))];
}

/** Suppresses one after the other, four at a time; waits for a server that is away. */
export async function suppressMany(list: string[], make: (text: string) => Promise<boolean>, tell: (progress: SuppressProgress) => void, stopped: () => boolean, wait = 2_000): Promise<void> {
  const progress: SuppressProgress = { done: 0, total: list.length, made: 0, already: 0, failed: [], startedAt: Date.now(), running: true };
  const queue = list.values();
  const work = async () => {
    for (const text of queue) {
      for (let again = true; again && !stopped();) {
        again = false;
        try { if (await make(text)) progress.made++; else progress.already++; } catch (error) {
          again = error instanceof ApiError && ['offline', 'unavailable', 'rate_limited', 'unauthorized'].includes(error.code);
          if (again) await new Promise((resolve) => setTimeout(resolve, wait));
          else progress.failed.push({ text, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      if (stopped()) return;
      progress.done++;
      tell({ ...progress });
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  tell({ ...progress, running: false });
}
