import { useEffect, useState } from 'react';

/**
 * Gives the focus back to what had it, when a dialog goes that came open. Mantine's dialogs do so only when they stay
 * in the page while they are closed.
 */
export function useFocusBack(isOpenAtOnce: boolean): void {
  const [opener] = useState(() => (isOpenAtOnce ? document.activeElement : null));
  useEffect(() => {
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [opener]);
}
