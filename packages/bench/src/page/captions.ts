import type { Run } from '../run/stored-results.js';

/** Runs that were measured on the same day, machine and Node, with the same settings and comment. */
export function groupsOf(runs: readonly Run[]): Run[][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const { date, machine, cores, node, settings, comment } = run;
    const key = JSON.stringify([date, machine, cores, node, settings, comment]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].toSorted(([one], [other]) => (other?.date ?? '').localeCompare(one?.date ?? ''));
}

/** When and where a group of runs was measured, as sentences. */
export function captionOf(group: readonly Run[]): string {
  const [first] = group;
  if (first === undefined) return '';
  const loads = group.flatMap(({ load }) => load ?? []);
  const [least, most] = [Math.min(...loads), Math.max(...loads)];
  const load = loads.length === 0 ? '' : `, load ${least === most ? least : `${least} to ${most}`} at the start`;
  const settings = Object.entries(first.settings ?? {}).map(([name, value]) => `\`${name}=${value}\``);
  const shorter = settings.length === 0 ? '' : `, with ${settings.join(', ')}`;
  const where = `${first.machine}, ${first.cores} cores, Node ${first.node.replace(/^v/, '')}`;
  return `Measured on ${first.date} on ${where}${load}${shorter}.${first.comment === undefined ? '' : ` ${first.comment}`}`;
}
