import { lazy, Suspense, useState } from 'react';
import { loadAgain } from '../../load-again.js';
import { ahead } from '../screen.js';
import { WhoButton } from './who-button.js';

const loadMenu = ahead(() => import('./who-menu.js'));
/** Comes with its first use, or ahead of it, with the library that places what floats. */
const WhoMenu = lazy(async () => ({ default: (await loadAgain(loadMenu)).WhoMenu }));

/** Who is in, with a menu. */
export function Who() {
  const [isUsed, setIsUsed] = useState(false);
  if (!isUsed) return <WhoButton onClick={() => setIsUsed(true)} />;
  return (
    <Suspense fallback={<WhoButton />}>
      <WhoMenu />
    </Suspense>
  );
}
