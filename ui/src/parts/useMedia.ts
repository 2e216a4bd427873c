import { useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (watch) => { const media = matchMedia(query); media.addEventListener('change', watch); return () => media.removeEventListener('change', watch); },
    () => matchMedia(query).matches,
  );
}

export const usePhone = () => useMedia('(max-width: 760px)');
