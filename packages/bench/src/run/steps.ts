import type { Report } from '../report.js';

/** A benchmark in the parts that are measured and stored one by one. */
export interface Bench {
  parts: Readonly<Record<string, (report: Report) => Promise<void>>>;
  /** It compares requests by HTTP, so it is also run on another Node. */
  isHttp?: boolean;
}

/** One part of a bench on one Node. */
export interface Step {
  /** As `reads/mariadb`, or `reads-node-24/mariadb`. */
  name: string;
  /** The file of its results. */
  file: string;
  part: string;
  isOnOtherNode: boolean;
  measure: (report: Report) => Promise<void>;
}

/**
 * The steps of what was asked for, in the order of the benches. A part on the other Node follows the same part on this
 * one, so that both are measured at about the same load.
 *
 * @param asked `all`, `http`, a bench or one of its parts (`mail/busy`)
 * @param otherLine the release line of another Node (`24`) that measures the HTTP benches too
 * @throws Error for a name that is none of these
 */
export function stepsOf(
  asked: readonly string[],
  benches: Readonly<Record<string, Bench>>,
  otherLine: string | null,
): Step[] {
  const found = new Set<string>();
  const steps = Object.entries(benches).flatMap(([bench, { parts, isHttp = false }]) =>
    Object.entries(parts).flatMap(([part, measure]) => {
      const names = ['all', ...(isHttp ? ['http'] : []), bench, `${bench}/${part}`];
      const matching = asked.filter((name) => names.includes(name));
      for (const name of matching) found.add(name);
      if (matching.length === 0) return [];
      const onThis = { name: `${bench}/${part}`, file: bench, part, isOnOtherNode: false, measure };
      if (otherLine === null || !isHttp) return [onThis];
      const file = `${bench}-node-${otherLine}`;
      return [onThis, { name: `${file}/${part}`, file, part, isOnOtherNode: true, measure }];
    }),
  );
  const unknown = asked.filter((name) => !found.has(name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. ${usageOf(benches)}`);
  return steps;
}

export function usageOf(benches: Readonly<Record<string, Bench>>): string {
  const names = Object.entries(benches).map(([bench, { parts }]) => `${bench}/{${Object.keys(parts).join(',')}}`);
  return `npm run bench -- [--print] [--anew] [--node <line>] <all | http | bench | bench/part …>, or -- page. The benches: ${names.join(' ')}`;
}
