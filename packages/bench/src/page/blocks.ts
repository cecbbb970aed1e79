import type { Results, Run } from '../run/stored-results.js';
import { captionOf, groupsOf } from './captions.js';
import { mailTable } from './mail-table.js';
import { growthPicture } from './pictures/growth-picture.js';
import { listPicture } from './pictures/list-picture.js';
import { mailPicture } from './pictures/mail-picture.js';
import type { Picture } from './pictures/svg.js';
import { markdownTable, tableOf } from './table.js';

/** The tables of the page, by the names of their marks, and the benches in each. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  frames: ['frames'],
  requests: ['start', 'demo', 'reads', 'sessions', 'creates', 'bulk', 'webhook'],
  sending: ['increments', 'looks', 'policy', 'reset'],
  positions: ['positions'],
  lists: ['list', 'readers', 'finding', 'growth', 'screens'],
  jobs: ['events', 'webhooks', 'purge', 'restore', 'usage', 'trail', 'many-trails', 'suppressed'],
};

/** The pictures of the page, by the names of their files and marks. */
export function picturesOf(results: Results): Record<string, { picture: Picture; runs: readonly Run[] }> {
  const submission = runsOf(results, ['mail']).filter(({ part }) => part === 'submission');
  const [mail] = submission;
  if (mail === undefined) throw new Error('The results have no mail/submission');
  const [positions, growth] = [runsOf(results, ['positions']), runsOf(results, ['growth'])];
  return {
    'performance-mail': { picture: mailPicture(mail), runs: submission },
    'performance-list': { picture: listPicture(positions), runs: positions },
    'performance-growth': { picture: growthPicture(growth), runs: growth },
  };
}

/** What is between each pair of marks. */
export function blocksOf(results: Results): Record<string, string> {
  const pictures = Object.entries(picturesOf(results)).map(([name, { picture, runs }]) => [
    name,
    `![${picture.description}](pictures/${name}.svg)\n\n${groupsOf(runs).map(captionOf).join('\n\n')}`,
  ]);
  const tables = Object.entries(TABLES).map(([name, benches]) => [name, tablesOf(results, benches)]);
  const mail = groupsOf(runsOf(results, ['mail'])).map((group) => `${captionOf(group)}\n\n${mailTable(group)}`);
  return {
    ...Object.fromEntries([...pictures, ...tables]),
    mail: mail.join('\n\n'),
    nodes: nodesTable(results),
  };
}

function tablesOf(results: Results, benches: readonly string[]): string {
  const groups = groupsOf(runsOf(results, benches)).map(
    (group) => `${captionOf(group)}\n\n${tableOf(group.flatMap(({ rows }) => rows))}`,
  );
  const missing = benches.filter((bench) => !results.has(bench));
  return [...groups, ...(missing.length === 0 ? [] : [`Not measured: ${missing.join(', ')}.`])].join('\n\n');
}

/** The rows that were measured on another Node too. */
function nodesTable(results: Results): string {
  const both = [...results].flatMap(([file, runs]) => {
    const bench = /^(.*)-node-\d+$/.exec(file)?.[1];
    if (bench === undefined) return [];
    return runs.flatMap((other) => {
      const one = results.get(bench)?.find(({ part }) => part === other.part);
      return one === undefined ? [] : [{ one, other }];
    });
  });
  if (both.length === 0) return 'Not measured.';
  const rows = both.flatMap(({ one, other }) =>
    other.rows.flatMap(({ what, measured }) => {
      const same = one.rows.find((row) => row.what === what);
      return same === undefined ? [] : [[what, nodeOf(one), same.measured, nodeOf(other), measured]];
    }),
  );
  const captions = groupsOf(both.flatMap(({ one, other }) => [one, other])).map(captionOf);
  return `${captions.join('\n\n')}\n\n${markdownTable(['what', 'Node', 'measured', 'other Node', 'measured'], rows)}`;
}

function nodeOf({ node }: Run): string {
  return node.replace(/^v/, '');
}

function runsOf(results: Results, benches: readonly string[]): Run[] {
  return benches.flatMap((bench) => results.get(bench) ?? []);
}
