import type { Run } from '../../run/stored-results.js';
import { axis, type Picture } from './svg.js';

interface Point {
  position: number;
  ms: number;
}

/** The time of a page of 20 of 100,000 domains by its position in the list, of each caller on each database. */
export function listPicture(runs: readonly Run[]): Picture {
  const lines = new Map<string, Point[]>();
  for (const { what, values } of runs.flatMap(({ rows }) => rows)) {
    const { position, ms } = values ?? {};
    if (position === undefined || ms === undefined) continue;
    const whose = what.split(', ').slice(-2).join(', ');
    lines.set(whose, [...(lines.get(whose) ?? []), { position, ms }]);
  }
  if (lines.size === 0) throw new Error('The results of positions have no row with a position');
  const title = 'Time of a page of 20 domains by its position among 100,000';
  const texts = Array.from(
    lines,
    ([whose, points]) =>
      `${whose}: ${points.map(({ position, ms }) => `${ms.toFixed(1)} ms at ${position * 100} %`).join(', ')}`,
  );
  return {
    title,
    description: `${title}. ${texts.join('; ')}.`,
    option: {
      xAxis: { type: 'value', min: 0, max: 100, interval: 25, ...axis('position in the list, % (0 is the start)', 32) },
      yAxis: { type: 'value', min: 0, ...axis('milliseconds', 44) },
      series: Array.from(lines, ([name, points]) => ({
        type: 'line',
        name,
        silent: true,
        emphasis: { disabled: true },
        symbol: 'circle',
        symbolSize: 7,
        lineStyle: { width: 2 },
        data: points.map(({ position, ms }) => [position * 100, Number(ms.toFixed(2))]),
      })),
    },
  };
}
