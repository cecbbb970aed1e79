import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { enteredAgain, useEnded } from '../../api/session.js';
import { loadAgain } from '../../load-again.js';
import { Loading } from '../../parts/states.js';
import { useLanguage } from '../../texts/texts.js';

const Door = lazy(async () => ({ default: (await loadAgain(() => import('./door.js'))).Door }));

/** Marks the document while the door stands before the page, so that dialogs are hidden too (`styles.css`). */
const OUT = 'portal-out';

/**
 * Puts the door before the page when the session has ended. The page stays in memory behind it, unseen, with what was
 * typed, but for passwords. Whoever enters with the same key goes on there; for anybody else the page is loaded anew.
 */
export function EndedSession({ children }: { children: ReactNode }) {
  const ended = useEnded();
  const isOut = ended !== null;
  const language = useLanguage();
  useEffect(() => {
    if (!isOut) return undefined;
    emptyPasswords();
    document.documentElement.classList.add(OUT);
    return () => document.documentElement.classList.remove(OUT);
  }, [isOut]);
  return (
    <>
      <div hidden={isOut}>{children}</div>
      {isOut && (
        // An open dialog behind the door would keep the Tab key to itself.
        <div role="presentation" onKeyDown={(event) => event.stopPropagation()}>
          <Suspense fallback={<Loading />}>
            <Door
              key={language}
              why={ended.why}
              onEntered={(session) => {
                if (!enteredAgain(session)) window.location.reload();
              }}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}

/** Empties the fields of passwords, also of those that are shown; the form hears of it as if somebody typed. */
function emptyPasswords(): void {
  const fields = document.querySelectorAll<HTMLInputElement>(
    'input[type="password"], input[autocomplete$="-password"]',
  );
  // React looks at what its own property of a field was set to, so this one is needed.
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  for (const field of fields) {
    value?.set?.call(field, '');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
