import type { Run } from '../../run/stored-results.js';
import { axis, type Picture, TEXT } from './svg.js';

const AT_MOST = 1.2;
/** Of the lines of the grid. */
const INTERVAL = 0.2;

/** What requests cost at 100 times as many domains. */
export function growthPicture(runs: readonly Run[]): Picture {
  const factors = runs
    .flatMap(({ rows }) => rows)
    .flatMap(({ what, values }) =>
      values?.factor === undefined ? [] : [{ request: what.split(' at ')[0] ?? what, factor: values.factor }],
    );
  if (factors.length === 0) throw new Error('The results of growth have no row with a factor');
  const title = 'Cost of a request at 100,000 domains, as a multiple of its cost at 1,000';
  return {
    title,
    description: `${title}; at most ${AT_MOST}. ${factors.map(({ request, factor }) => `${request}: ${factor.toFixed(2)}`).join('; ')}.`,
    option: {
      legend: { show: false },
      grid: { left: 200, right: 48, top: 72, bottom: 48 },
      xAxis: {
        type: 'value',
        min: 0,
        max: ({ max }) => Math.ceil(Math.max(AT_MOST, max) / INTERVAL + 1) * INTERVAL,
        interval: INTERVAL,
        ...axis('times the cost', 32),
      },
      yAxis: { type: 'category', inverse: true, data: factors.map(({ request }) => request), ...axis('', 0) },
      series: [
        {
          type: 'bar',
          silent: true,
          emphasis: { disabled: true },
          barMaxWidth: 36,
          label: {
            show: true,
            position: 'insideRight',
            color: '#ffffff',
            formatter: ({ value }) => Number(value).toFixed(2),
          },
          data: factors.map(({ factor }) => factor),
          markLine: {
            silent: true,
            symbol: 'none',
            lineStyle: { color: TEXT, type: 'dashed' },
            label: { formatter: `at most ${AT_MOST}`, color: TEXT, position: 'start', distance: 8 },
            data: [{ xAxis: AT_MOST }],
          },
        },
      ],
    },
  };
}
