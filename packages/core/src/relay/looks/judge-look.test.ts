import fc from '../../../../../scripts/fast-check.mjs';
import { MINUTE_MS } from '../../clock.js';
import { sampleSize } from '../../testing/sampled.js';
import { DNS_LACKS, type DnsLack, type LookedRecord, recordOf } from './dns-lacks.js';
import { CONFIRM_AFTER_MS, isAdded, judgeLook, type Lacks, type Seen } from './judge-look.js';

const NOTHING: Lacks = { lacks: [], suspected: [], suspectedAt: null };
const START = Date.UTC(2026, 2, 15);
const at = (minutes: number) => new Date(START + minutes * MINUTE_MS);
const WELL: Seen = { mx: null, spf: null };

/** The looks of a time, in minutes, one after the other. */
function judged(...looks: [minutes: number, seen: Partial<Seen>, mayAdd?: boolean][]): Lacks {
  return looks.reduce(
    (before, [minutes, seen, mayAdd = true]) => judgeLook(before, { ...WELL, ...seen }, at(minutes), { mayAdd }),
    NOTHING,
  );
}

describe('what looks at a domain have found', () => {
  it('counts when a look ten minutes after the first one finds it too', () => {
    expect(judged([0, { mx: 'mx' }])).toEqual({ lacks: [], suspected: ['mx'], suspectedAt: at(0) });
    expect(judged([0, { mx: 'mx' }], [9, { mx: 'mx' }])).toEqual({ lacks: [], suspected: ['mx'], suspectedAt: at(0) });
    expect(judged([0, { mx: 'mx' }], [9, { mx: 'mx' }], [10, { mx: 'mx' }])).toEqual({ ...NOTHING, lacks: ['mx'] });
  });

  it('begins anew after a look that found the record', () => {
    expect(judged([0, { spf: 'spf' }], [5, {}], [10, { spf: 'spf' }])).toEqual({
      lacks: [],
      suspected: ['spf'],
      suspectedAt: at(10),
    });
    expect(judged([0, { spf: 'spf' }], [10, { spf: 'spf' }], [20, {}])).toEqual(NOTHING);
  });

  it('stays as it is without an answer', () => {
    const first: Lacks = { lacks: ['spf'], suspected: ['mx'], suspectedAt: at(0) };
    expect(judgeLook(first, { mx: 'unknown', spf: 'unknown' }, at(60), { mayAdd: true })).toEqual(first);
    expect(judgeLook(first, { mx: 'unknown', spf: null }, at(60), { mayAdd: true })).toEqual({ ...first, lacks: [] });
    expect(judged([0, { mx: 'mx' }], [5, { mx: 'unknown' }], [10, { mx: 'mx' }]).lacks).toEqual(['mx']);
  });

  it('is replaced by another lack of the same record only when that one is confirmed', () => {
    const elsewhere = judged([0, { mx: 'mx_elsewhere' }], [10, { mx: 'mx_elsewhere' }]);
    const doubted = judgeLook(elsewhere, { mx: 'mx', spf: null }, at(20), { mayAdd: true });
    expect(doubted).toEqual({ lacks: ['mx_elsewhere'], suspected: ['mx'], suspectedAt: at(20) });
    expect(judgeLook(doubted, { mx: 'mx', spf: null }, at(30), { mayAdd: true })).toEqual({
      ...NOTHING,
      lacks: ['mx'],
    });
    expect(judgeLook(doubted, { mx: 'mx_elsewhere', spf: null }, at(30), { mayAdd: true })).toEqual(elsewhere);
  });

  it('is never two of MX: hosts of somebody else that become those of a mailbox provider, and the way back', () => {
    let lacks = judged([0, { mx: 'mx_elsewhere' }], [10, { mx: 'mx_elsewhere' }]);
    for (const [minutes, seen, counted] of [
      [20, 'mx_mailboxes', 'mx_elsewhere'],
      [30, 'mx_mailboxes', 'mx_mailboxes'],
      [40, 'mx_elsewhere', 'mx_mailboxes'],
      [50, 'mx_elsewhere', 'mx_elsewhere'],
    ] as const) {
      lacks = judgeLook(lacks, { mx: seen, spf: null }, at(minutes), { mayAdd: true });
      expect([minutes, lacks.lacks]).toEqual([minutes, [counted]]);
    }
    expect(judgeLook(lacks, WELL, at(60), { mayAdd: true })).toEqual(NOTHING);
  });

  it('adds nothing while it may not, and knows since when it waits', () => {
    const held = judged([0, { mx: 'mx', spf: 'spf' }], [10, { mx: 'mx', spf: 'spf' }, false]);
    expect(held).toEqual({ lacks: [], suspected: ['mx', 'spf'], suspectedAt: at(0) });
    expect(judgeLook(held, { mx: 'mx', spf: null }, at(11), { mayAdd: true })).toEqual({ ...NOTHING, lacks: ['mx'] });
  });

  it('has at most one lack of each record, counts only what two looks found, and ends with the record, whatever comes', () => {
    const found = (record: LookedRecord) =>
      fc.constantFrom<Seen[LookedRecord]>(null, 'unknown', ...DNS_LACKS.filter((lack) => recordOf(lack) === record));
    const looks = fc.array(
      fc.record({ wait: fc.integer({ min: 0, max: 15 }), mx: found('mx'), spf: found('spf'), mayAdd: fc.boolean() }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(looks, (all) => {
        let lacks = NOTHING;
        let minutes = 0;
        const sightings = new Map<DnsLack, Date[]>();
        for (const { wait, mx, spf, mayAdd } of all) {
          minutes += wait;
          const seen = { mx, spf };
          const before = lacks;
          lacks = judgeLook(before, seen, at(minutes), { mayAdd });
          for (const record of ['mx', 'spf'] as const) {
            const of = (list: readonly DnsLack[]) => list.filter((lack) => recordOf(lack) === record);
            expect(of(lacks.lacks).length).toBeLessThanOrEqual(1);
            expect(of(lacks.suspected).length).toBeLessThanOrEqual(1);
            if (seen[record] === null) expect([...of(lacks.lacks), ...of(lacks.suspected)]).toEqual([]);
          }
          for (const lack of DNS_LACKS) {
            const now = seen[recordOf(lack)];
            if (now === lack) sightings.set(lack, [...(sightings.get(lack) ?? []), at(minutes)]);
            else if (now !== 'unknown') sightings.delete(lack);
          }
          for (const lack of lacks.lacks.filter((each) => !before.lacks.includes(each))) {
            expect(mayAdd).toBe(true);
            const first = sightings.get(lack)?.[0]?.getTime() ?? Number.NaN;
            expect(at(minutes).getTime() - first).toBeGreaterThanOrEqual(CONFIRM_AFTER_MS);
          }
          expect(isAdded(before, lacks) && !mayAdd).toBe(false);
          expect(lacks.suspectedAt === null).toBe(lacks.suspected.length === 0);
        }
      }),
      { numRuns: sampleSize(2_000, 300) },
    );
  });
});
