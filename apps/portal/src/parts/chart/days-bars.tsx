import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { VisuallyHidden } from '@mantine/core';
import type { OutboundDay } from '../../api/shapes.js';
import { perLocale, t } from '../../texts/texts.js';
import { formatCount } from '../numbers.js';
import { formatDay } from '../time.js';

const HEIGHT_PX = 180;
const SERIES = [
  { name: 'sent', color: 'lake.5' },
  { name: 'bounces', color: 'orange.6' },
  { name: 'complaints', color: 'red.6' },
] as const;

export function DaysBars({ days }: { days: OutboundDay[] }) {
  const series = SERIES.map((each) => ({ ...each, label: t(`sending.${each.name}`) }));
  const rows = days.toSorted((a, b) => a.day.localeCompare(b.day));
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={HEIGHT_PX}
          data={rows.map((row) => ({ ...row, label: formatShortDay(row.day) }))}
          dataKey="label"
          series={series}
          type="stacked"
          tickLine="none"
          xAxisProps={{ minTickGap: 24 }}
          yAxisProps={{ width: 56, allowDecimals: false, tickFormatter: formatCount }}
          barChartProps={{ accessibilityLayer: false, margin: { top: 10, right: 0, bottom: 0, left: 0 } }}
          barProps={{ isAnimationActive: false }}
          tooltipAnimationDuration={0}
          valueFormatter={formatCount}
        />
      </div>
      <VisuallyHidden>
        <table>
          <caption>{t('sending.eachDay')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('sending.day')}</th>
              {series.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ day, sent, bounces, complaints }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td>{formatCount(sent)}</td>
                <td>{formatCount(bounces)}</td>
                <td>{formatCount(complaints)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}

const shortFormat = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

function formatShortDay(day: string): string {
  return shortFormat().format(new Date(`${day}T00:00:00Z`));
}
