import { mailRow } from '../mail/judge-mail.js';
import { MAIL_LOADS } from '../mail/mail-loads.js';
import type { VariantName } from '../mail/postfix-variant.js';
import type { Row } from '../report.js';
import type { Run } from '../run/stored-results.js';
import { markdownTable } from './table.js';

const HEAD = [
  'load, sessions',
  'plain, maps, whole: messages/s',
  'maps of plain; whole of plain; whole of maps',
  'p50; p99 ms of plain, maps, whole',
  'processor ms of whole: policyd + API + MariaDB; Dovecot; Postfix',
  'MariaDB ms in maps',
  'targets',
];

/** The loads of `mail`, a row for each number of sessions. Values that an earlier run did not store are left out. */
export function mailTable(runs: readonly Run[]): string {
  return markdownTable(HEAD, runs.flatMap(rowsOf));
}

function rowsOf({ part, rows }: Run): string[][] {
  return [1, 8, 64].flatMap((sessions) => {
    const of = (variant: VariantName) => rows.find(({ what }) => what === mailRow(sessions, variant));
    const [plain, maps, whole] = [of('plain'), of('maps'), of('whole')];
    if (plain === undefined || maps === undefined || whole === undefined) return [];
    const all = [plain, maps, whole];
    const ratio = (one: Row, other: Row) => (rateOf(one) / rateOf(other)).toFixed(2);
    return [
      [
        `${whatOf(part)}, ${sessions}`,
        all.map((row) => Math.round(rateOf(row))).join(', '),
        `${ratio(maps, plain)}; **${ratio(whole, plain)}**; ${ratio(whole, maps)}`,
        all.some(({ values }) => values?.p50 === undefined)
          ? ''
          : `${all.map((row) => number(row, 'p50', 1)).join(', ')}; ${all.map((row) => number(row, 'p99', 1)).join(', ')}`,
        processorOf(whole),
        number(maps, 'processor.mariadb', 2),
        [maps, whole].flatMap(targetOf).join('; '),
      ],
    ];
  });
}

function whatOf(part: string): string {
  return Object.entries(MAIL_LOADS).find(([name]) => name === part)?.[1].what ?? part;
}

function rateOf({ what, values }: Row): number {
  if (values?.messagesPerSecond === undefined) throw new Error(`The row "${what}" of mail has no messagesPerSecond`);
  return values.messagesPerSecond;
}

function processorOf(whole: Row): string {
  const ms = (program: string) => number(whole, `processor.${program}`, 2);
  const dovecot = ms('dovecot');
  const services = `${ms('policyd')} + ${ms('api')} + ${ms('mariadb')}`;
  return [services, ...(dovecot === '' || dovecot === '0.00' ? [] : [dovecot]), ms('postfix')].join('; ');
}

function number({ values }: Row, name: string, digits: number): string {
  return values?.[name]?.toFixed(digits) ?? '';
}

function targetOf({ target, held }: Row): string[] {
  return target === '' ? [] : [`${target}: ${held ? 'yes' : '**no**'}`];
}
