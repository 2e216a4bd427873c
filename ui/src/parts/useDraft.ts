import { useCallback, useEffect, useState } from 'react';

/**
 * The values of a form, kept in this tab's storage until they are saved, so that
 * a reload, a closed drawer or a lost server costs nothing typed. Never pass a
 * secret in: forms hold those in plain state.
 */
export function useDraft<T extends object>(name: string, initial: T): { values: T; set: (part: Partial<T>) => void; clear: () => void; kept: boolean } {
  const key = `outreach.draft.${name}`;
  const [values, setValues] = useState<T>(() => ({ ...initial, ...read<T>(key) }));
  const [kept, setKept] = useState(() => read<T>(key) !== null);
  useEffect(() => { if (kept) sessionStorage.setItem(key, JSON.stringify(values)); }, [key, kept, values]);
  const set = useCallback((part: Partial<T>) => { setKept(true); setValues((had) => ({ ...had, ...part })); }, []);
  const clear = useCallback(() => { setKept(false); sessionStorage.removeItem(key); }, [key]);
  return { values, set, clear, kept };
}

function read<T>(key: string): Partial<T> | null {
  try { return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<T> | null; } catch { return null; }
}
