import { lazy, Suspense } from 'react';
import type { OutboundDay } from '../api/shapes.js';
import { loadAgain } from '../load-again.js';
import { Loading } from './states.js';

/** Charts are a chunk of their own, which comes after the screen. */
const Chart = lazy(async () => ({ default: (await loadAgain(() => import('./chart/days-bars.js'))).DaysBars }));

/** Thirty days of sending, as bars and as a table for screen readers. */
export function DaysChart({ days }: { days: OutboundDay[] }) {
  return (
    <Suspense fallback={<Loading />}>
      <Chart days={days} />
    </Suspense>
  );
}
