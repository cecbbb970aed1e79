import { createContext, useContext, useEffect } from 'react';

/** Whose page it is, in the title of the browser's tab; null names nobody. */
export const SiteName = createContext<string | null>('Mailstead');

/** Sets the title of the browser's tab. */
export function useTitle(title: string): void {
  const site = useContext(SiteName);
  useEffect(() => {
    document.title = site === null ? title : `${title} · ${site}`;
  }, [title, site]);
}
