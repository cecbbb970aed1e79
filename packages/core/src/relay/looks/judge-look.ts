import { MINUTE_MS } from '../../clock.js';
import { type DnsLack, LOOKED_RECORDS, type LookedRecord, recordOf } from './dns-lacks.js';

/** A lack counts when a look so long after the first one finds it too. */
export const CONFIRM_AFTER_MS = 10 * MINUTE_MS;

/** What the looks at a domain have found until now. */
export interface Lacks {
  /** What counts as lacking. */
  lacks: DnsLack[];
  /** What the last look found lacking, and does not count yet. */
  suspected: DnsLack[];
  /** When the first of `suspected` was found; null without any. */
  suspectedAt: Date | null;
}

/** What a look found of each record; null: nothing is lacking, or it is not needed; `unknown`: there was no answer. */
export type Seen = Record<LookedRecord, DnsLack | null | 'unknown'>;

/** @param mayAdd whether a lack that was found twice may count from now on */
export function judgeLook(before: Lacks, seen: Seen, now: Date, { mayAdd }: { mayAdd: boolean }): Lacks {
  const isConfirming = before.suspectedAt !== null && now.getTime() >= before.suspectedAt.getTime() + CONFIRM_AFTER_MS;
  const lacks: DnsLack[] = [];
  const suspected: DnsLack[] = [];
  let isFirstSight = false;
  for (const record of LOOKED_RECORDS) {
    const found = seen[record];
    const counted = ofRecord(before.lacks, record);
    const awaited = ofRecord(before.suspected, record);
    if (found === null) continue;
    if (found === 'unknown') {
      lacks.push(...counted);
      suspected.push(...awaited);
    } else if (counted.includes(found) || (awaited.includes(found) && isConfirming && mayAdd)) {
      lacks.push(found);
    } else {
      // The lack that counts is kept until it is known what takes its place.
      lacks.push(...counted);
      suspected.push(found);
      isFirstSight ||= !awaited.includes(found);
    }
  }
  const suspectedAt = isFirstSight ? now : before.suspectedAt;
  return { lacks, suspected, suspectedAt: suspected.length === 0 ? null : suspectedAt };
}

/** Whether something counts as lacking that did not before. */
export function isAdded(before: Pick<Lacks, 'lacks'>, after: Pick<Lacks, 'lacks'>): boolean {
  return after.lacks.some((lack) => !before.lacks.includes(lack));
}

function ofRecord(lacks: readonly DnsLack[], record: LookedRecord): DnsLack[] {
  return lacks.filter((lack) => recordOf(lack) === record);
}
