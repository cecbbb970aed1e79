import { Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { OutboundDay } from '../../api/shapes.js';
import { perLocale, t } from '../../texts/texts.js';
import { formatCount } from '../numbers.js';
import { formatDay } from '../time.js';
import { labelledDays, niceMaximum } from './scale.js';

const SERIES = ['sent', 'bounces', 'complaints'] as const;

type Counts = Omit<OutboundDay, 'day'>;

/** Days of sending as bars of SVG, with their sums, and as a table for screen readers. */
export function DaysBars({ days }: { days: OutboundDay[] }) {
  const [pointed, setPointed] = useState<OutboundDay | null>(null);
  const rows = days.toSorted((a, b) => a.day.localeCompare(b.day));
  return (
    <>
      <Sums
        counts={pointed ?? sumOf(rows)}
        when={pointed === null ? t('chart.days', { days: rows.length }) : formatDay(pointed.day)}
      />
      <div aria-hidden className="portal-chart">
        <Scale maximum={maximumOf(rows)} />
        <Bars days={rows} onPoint={setPointed} />
        <div className="portal-chart-days">
          {labelledDays(rows.map(({ day }) => day)).map((day) => (
            <span key={day}>{formatShortDay(day)}</span>
          ))}
        </div>
      </div>
      <VisuallyHidden>
        <DaysTable days={rows} />
      </VisuallyHidden>
    </>
  );
}

/** What the bars mean, with the numbers of the day under the pointer, or of all days. */
function Sums({ counts, when }: { counts: Counts; when: string }) {
  return (
    <Group gap="md" className="portal-chart-sums">
      {SERIES.map((name) => (
        <Text key={name} size="sm" component="span" className={`portal-chart-${name}`}>
          {t(`chart.${name}Sum`, { count: counts[name] })}
        </Text>
      ))}
      <Text size="sm" c="dimmed" component="span">
        {when}
      </Text>
    </Group>
  );
}

function Scale({ maximum }: { maximum: number }) {
  return (
    <div className="portal-chart-scale">
      <span>{formatCount(maximum)}</span>
      <span>{maximum > 1 && formatCount(maximum / 2)}</span>
      <span>0</span>
    </div>
  );
}

/** A bar for each day; what bounced and what was reported as spam is a part of it, from below. */
function Bars({ days, onPoint }: { days: OutboundDay[]; onPoint: (day: OutboundDay | null) => void }) {
  const maximum = maximumOf(days);
  return (
    <svg viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none" onPointerLeave={() => onPoint(null)}>
      {[0, 50, 100].map((y) => (
        <line key={y} x1={0} x2={days.length} y1={y} y2={y} />
      ))}
      {days.map((each, index) => {
        const bounces = heightOf(each.bounces, maximum);
        const complaints = heightOf(each.complaints, maximum);
        return (
          <g key={each.day} onPointerEnter={() => onPoint(each)}>
            <rect className="portal-chart-area" x={index} width={1} y={0} height={100} />
            <Bar name="sent" x={index} from={0} height={heightOf(each.sent, maximum)} />
            <Bar name="bounces" x={index} from={0} height={bounces} />
            <Bar name="complaints" x={index} from={bounces} height={complaints} />
          </g>
        );
      })}
    </svg>
  );
}

function Bar({ name, x, from, height }: { name: string; x: number; from: number; height: number }) {
  if (height === 0) return null;
  return <rect className={`portal-chart-${name}`} x={x + 0.12} width={0.76} y={100 - from - height} height={height} />;
}

function DaysTable({ days }: { days: OutboundDay[] }) {
  return (
    <table>
      <caption>{t('chart.eachDay')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('chart.day')}</th>
          {SERIES.map((name) => (
            <th key={name} scope="col">
              {t(`chart.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, sent, bounces, complaints }) => (
          <tr key={day}>
            <th scope="row">{formatDay(day)}</th>
            <td>{formatCount(sent)}</td>
            <td>{formatCount(bounces)}</td>
            <td>{formatCount(complaints)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is not 0 can be seen. */
function heightOf(count: number, maximum: number): number {
  return count === 0 ? 0 : Math.max(1, (count / maximum) * 100);
}

function maximumOf(days: readonly OutboundDay[]): number {
  return niceMaximum(Math.max(0, ...days.map(({ sent, bounces, complaints }) => Math.max(sent, bounces + complaints))));
}

function sumOf(days: readonly OutboundDay[]): Counts {
  const sum = (name: keyof Counts) => days.reduce((total, each) => total + each[name], 0);
  return { sent: sum('sent'), bounces: sum('bounces'), complaints: sum('complaints') };
}

const shortFormat = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

function formatShortDay(day: string): string {
  return shortFormat().format(new Date(`${day}T00:00:00Z`));
}
