import type { ReactNode } from 'react';
import { useChangesInTranslation } from '../../api/translation.js';

/** A screen. Where the browser translated it, each change of data mounts it anew. */
export function TranslatedScreen({ children }: { children: ReactNode }) {
  return <div key={useChangesInTranslation()}>{children}</div>;
}
