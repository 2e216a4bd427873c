import { useCallback, useEffect, useRef, useState } from 'react';

interface Draft<T> { values: T; set: (part: Partial<T>) => void; clear: () => void; kept: boolean }

/**
 * The values of a form: the initial ones until something is typed, from then on
 * the typed ones, kept in this tab's storage until they are saved. So a reload,
 * a closed drawer or a lost server costs nothing typed. Never pass a secret in:
 * forms hold those in plain state.
 */
export function useDraft<T extends object>(name: string, initial: T): Draft<T> {
  const key = `outreach.draft.${name}`;
  const [own, setOwn] = useState<T | null>(() => read<T>(key, initial));
  const latest = useRef(initial);
  useEffect(() => { latest.current = initial; });
  useEffect(() => { if (own) sessionStorage.setItem(key, JSON.stringify(own)); else sessionStorage.removeItem(key); }, [key, own]);
  const set = useCallback((part: Partial<T>) => setOwn((had) => ({ ...(had ?? latest.current), ...part })), []);
  const clear = useCallback(() => { sessionStorage.removeItem(key); setOwn(null); }, [key]);
  return { values: own ?? initial, set, clear, kept: own !== null };
}

function read<T extends object>(key: string, initial: T): T | null {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<T> | null;
    return found && { ...initial, ...found };
  } catch { return null; }
}
