import { mailRow } from '../../mail/judge-mail.js';
import type { Run } from '../../run/stored-results.js';
import { axis, type Picture, TEXT } from './svg.js';

const SESSIONS = [1, 8, 64];
const VARIANTS = ['plain', 'maps', 'whole'] as const;

/** Messages a second of the three variants. */
export function mailPicture({ rows }: Run): Picture {
  const rateOf = (sessions: number, variant: (typeof VARIANTS)[number]) => {
    const name = mailRow(sessions, variant);
    const rate = rows.find(({ what }) => what === name)?.values?.messagesPerSecond;
    if (rate === undefined) throw new Error(`The results of mail have no row "${name}" with messagesPerSecond`);
    return Math.round(rate);
  };
  const title = 'Messages a second through Postfix, submission to one recipient';
  const texts = SESSIONS.map(
    (sessions) =>
      `${sessions === 1 ? '1 session' : `${sessions} sessions`}: ${VARIANTS.map((name) => `${name} ${rateOf(sessions, name)}`).join(', ')}`,
  );
  return {
    title,
    description: `${title}. ${texts.join('; ')}.`,
    option: {
      xAxis: { type: 'category', data: SESSIONS.map(String), ...axis('sessions', 32) },
      yAxis: { type: 'value', ...axis('messages a second', 44) },
      series: VARIANTS.map((name) => ({
        type: 'bar',
        name,
        silent: true,
        emphasis: { disabled: true },
        label: { show: true, position: 'top', color: TEXT, fontSize: 12 },
        data: SESSIONS.map((sessions) => rateOf(sessions, name)),
      })),
    },
  };
}
