import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { isTranslated, whenDataChanges } from '../../api/translation.js';

/** A screen. Where the browser translated it, each change of data mounts it anew, before React changes its texts. */
export function TranslatedScreen({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [mounted, setMounted] = useState(0);
  useEffect(
    () =>
      whenDataChanges(queryClient, () => {
        if (isTranslated()) flushSync(() => setMounted((times) => times + 1));
      }),
    [queryClient],
  );
  return <div key={mounted}>{children}</div>;
}
