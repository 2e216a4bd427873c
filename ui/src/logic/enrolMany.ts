import { ApiError } from '../api';

export interface EnrolProgress { done: number; total: number; enrolled: number; already: number; failed: { id: string; reason: string }[]; startedAt: number; running: boolean }
type Enrol = (prospectId: string) => Promise<boolean>;

/**
 * Enrols prospects a few at a time. A server that is away is waited for, a
 * refusal is written down, so the end is reached with every one accounted for.
 */
export async function enrolMany(ids: string[], enrol: Enrol, tell: (progress: EnrolProgress) => void, stopped: () => boolean, wait = 2_000, width = 6): Promise<EnrolProgress> {
  const progress: EnrolProgress = { done: 0, total: ids.length, enrolled: 0, already: 0, failed: [], startedAt: Date.now(), running: true };
  const queue = ids.values();
  const work = async () => {
    for (const id of queue) {
      if (stopped()) return;
      await one(id);
      progress.done++;
      tell({ ...progress });
    }
  };
  const one = async (id: string) => {
    for (;;) {
      try {
        if (await enrol(id)) progress.enrolled++; else progress.already++;
        return;
      } catch (error) {
        const passing = error instanceof ApiError && ['offline', 'unavailable', 'rate_limited', 'unauthorized'].includes(error.code);
        if (!passing || stopped()) { progress.failed.push({ id, reason: error instanceof Error ? error.message : String(error) }); return; }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  const end = { ...progress, running: false };
  tell(end);
  return end;
}
