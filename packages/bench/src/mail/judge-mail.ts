import type { Report } from '../report.js';
import type { MailCost } from './mail-cost.js';
import type { MailLoadKind } from './mail-loads.js';
import type { VariantName } from './postfix-variant.js';

/** Of the messages a second of *plain*, by sessions. */
const LEAST_WHOLE: Record<number, number> = { 1: 0.25, 8: 0.38, 64: 0.55 };
const LEAST_WHOLE_OF_TWENTY: Record<number, number> = { 8: 0.24 };
const LEAST_MAPS: Record<number, number> = { 8: 0.57 };
/** Milliseconds of processor time a message, for Postfix's own questions. */
const MOST_MARIADB = 0.45;

type Costs = Record<VariantName, MailCost>;

/** The row of a variant in the results of a load. */
export function mailRow(sessions: number, variant: VariantName): string {
  return `${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${variant}`;
}

export function judgeMail(
  { instance, recipients }: MailLoadKind,
  sessions: number,
  { plain, maps, whole }: Costs,
  report: Report,
): void {
  const ofPlain = ({ messagesPerSecond }: MailCost) => messagesPerSecond / plain.messagesPerSecond;
  const mariadb = maps.processor.mariadb ?? 0;
  const isJudged = instance === 'postfix-submission';
  const leastMaps = (isJudged && recipients === 1 ? LEAST_MAPS[sessions] : undefined) ?? 0;
  const leastWhole = (isJudged ? (recipients === 1 ? LEAST_WHOLE : LEAST_WHOLE_OF_TWENTY)[sessions] : undefined) ?? 0;
  report.note(mailRow(sessions, 'plain'), described(plain), '', true, valuesOf(plain));
  report.note(
    mailRow(sessions, 'maps'),
    `${ofPlain(maps).toFixed(2)} of plain: ${described(maps, plain)}`,
    leastMaps === 0 ? '' : `maps ≥ ${leastMaps} of plain, MariaDB ≤ ${MOST_MARIADB} ms`,
    leastMaps === 0 || (ofPlain(maps) >= leastMaps && mariadb <= MOST_MARIADB),
    valuesOf(maps),
  );
  report.note(
    mailRow(sessions, 'whole'),
    `${ofPlain(whole).toFixed(2)} of plain, ${(whole.messagesPerSecond / maps.messagesPerSecond).toFixed(2)} of maps: ${described(whole, maps)}`,
    leastWhole === 0 ? '' : `whole ≥ ${leastWhole} of plain`,
    ofPlain(whole) >= leastWhole,
    valuesOf(whole),
  );
}

/** The numbers of a cost, with four digits: `messagesPerSecond`, `p50`, `processor.api` and so on. */
function valuesOf({ messagesPerSecond, p50, p99, processor, questions }: MailCost): Record<string, number> {
  const named = (prefix: string, values: Record<string, number>) =>
    Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value] as const);
  const all = Object.entries({ messagesPerSecond, p50, p99 });
  return Object.fromEntries(
    [...all, ...named('processor', processor), ...named('questions', questions)].map(([name, value]) => [
      name,
      Number(value.toPrecision(4)),
    ]),
  );
}

/** A text like `98/s, p50 80 ms (+ 39), p99 120 ms (+ 60); processor: policyd 0.30 …; questions: …`. */
function described(cost: MailCost, base: MailCost | null = null): string {
  const time = (name: 'p50' | 'p99') => {
    const more = base === null ? '' : ` (+ ${(cost[name] - base[name]).toFixed(1)})`;
    return `${name} ${cost[name].toFixed(1)} ms${more}`;
  };
  const list = (values: Record<string, number>, digits: number) =>
    Object.entries(values)
      .filter(([, value]) => value >= 0.5 * 10 ** -digits)
      .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
      .join(', ');
  return `${Math.round(cost.messagesPerSecond)}/s, ${time('p50')}, ${time('p99')}; processor ms: ${list(cost.processor, 2)}; questions: ${list(cost.questions, 1)}`;
}
