import {
  DATABASE_KINDS,
  type DatabaseKind,
  onEachDatabase,
} from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import { CorrectCounts } from '@mailstead/core/counts/correct-counts';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { BILLING, MASTER } from '../testing/api-fixture.js';
import { type RestorationSteps, rowWithout, startRestorationSteps } from '../testing/restoration-steps.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const STEPS = sampleSize(120, 30);
/** The databases on which a mailbox is restored in every way; that every column comes back is tested on each. */
const EVERY_WAY_ON: readonly DatabaseKind[] = DATABASE_KINDS.slice(0, sampleSize(2, 1));
const NAME = 'wanted.example';
const who = fc.constantFrom('acme', 'rival');
/** What partners and operators do to a name that two partners want. */
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), who }),
  fc.record({ do: fc.constant('delete' as const), who: fc.constantFrom('acme', 'rival', 'master', 'billing') }),
  fc.record({ do: fc.constant('move' as const), who }),
  fc.record({
    do: fc.constant('restore' as const),
    who: fc.constantFrom('acme', 'rival', 'master'),
    which: fc.nat(9),
  }),
  fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 5 }), id: fc.nat(5) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 10 }) }),
  fc.record({
    do: fc.constant('reset' as const),
    path: fc.constantFrom('/outbound/reset-daily', '/outbound/reset-monthly'),
  }),
);

/** At least one restoration, whatever the seed. */
const FIRST_STEPS = [
  { do: 'create' as const, who: 'acme' as const },
  { do: 'delete' as const, who: 'acme' as const },
  { do: 'restore' as const, who: 'acme' as const, which: 0 },
];

/** On both databases, because these tests compare stored rows. */
onEachDatabase((kind) => {
  let names: RestorationSteps;

  beforeAll(async () => {
    names = await startRestorationSteps(kind);
  });
  afterAll(() => names.api.close());

  describe('a restored mailbox', () => {
    it('comes back with every column, its id, its password and its home, and with its aliases', async () => {
      const { acme, api } = names;
      const { gone, stays } = await names.twoDomains();
      const before = await names.mailboxRow(`b@${gone}`);
      const aliases = await names.rows('SELECT * FROM alias WHERE destination = ?', `b@${gone}`);
      await names.deleteMailbox(acme, `b@${gone}`);
      const [deletion] = await names.listed(acme, gone);
      expect(deletion).toMatchObject({ kind: 'mailbox', name: `b@${gone}`, mailboxes: 1, aliases: 1 });
      const { body } = await names.restore(acme, deletion?.id ?? 0).expect(200);
      expect(body).toMatchObject({ id: before.id, email: `b@${gone}`, active: true, left_out: [] });
      const after = await names.mailboxRow(`b@${gone}`);
      // Who had the mailbox open before it was deleted logs in again.
      const renewed = ['restored_at', 'revoked_at', 'revision'];
      expect(rowWithout(after, ...renewed)).toEqual(rowWithout(before, ...renewed));
      expect(before.password_hash).toBe(HASH);
      const restored = await names.rows('SELECT * FROM alias WHERE destination = ?', `b@${gone}`);
      expect(restored.map((row) => rowWithout(row, 'restored_at'))).toEqual(
        aliases.map((row) => rowWithout(row, 'restored_at')),
      );
      expect((await api.as(acme).get(`/domains/${gone}`)).body).toMatchObject({ mailboxes: 2, aliases: 2 });
      expect((await api.as(acme).get(`/domains/${stays}`)).body).toMatchObject({ mailboxes: 1, aliases: 1 });
      expect(await names.listed(acme, gone)).toEqual([]);
    });
  });

  if (EVERY_WAY_ON.includes(kind)) {
    describe('restored mailboxes', () => {
      it('a mailbox is refused while its address is a mailbox or an alias, and nothing is lost', async () => {
        const { acme, mailbox } = names;
        const { gone } = await names.twoDomains();
        await names.deleteMailbox(acme, `b@${gone}`);
        const first = await names.deletedId(acme, `b@${gone}`);
        const again = await mailbox(acme, `b@${gone}`);
        expect((await names.restore(acme, first).expect(400)).body).toMatchObject({ detail: 'Mailbox already exists' });
        await names.deleteMailbox(acme, `b@${gone}`);
        await names.alias(acme, `b@${gone}`, `a@${gone}`);
        expect((await names.restore(acme, first).expect(400)).body).toMatchObject({ code: 'address_in_use' });
        await names.api.as(acme).delete(`/aliases/b@${gone}`).expect(204);
        expect((await names.restore(acme, first).expect(200)).body.id).not.toBe(again.body.id);
        expect((await names.listed(acme, gone)).map(({ name }) => name)).toEqual([`b@${gone}`]);
      });

      it('a mailbox counts like a created one: a full domain refuses it, except for master', async () => {
        const { acme, api } = names;
        const { gone } = await names.twoDomains();
        await names.deleteMailbox(acme, `b@${gone}`);
        const limited = await api.key('acme', { mailboxes_per_domain: 1 });
        const id = await names.deletedId(acme, `b@${gone}`);
        const { body } = await names.restore(limited, id).expect(403);
        expect(body).toMatchObject({ detail: 'Mailbox quota exceeded', limit: 1, used: 1 });
        await names.restore(MASTER, id).expect(200);
      });

      it.each([
        ['a client', 'acme', 0, 2_000],
        ['a client', 'acme', 5_000, 2_000],
        ['a client', 'acme', 1_999, 1_999],
        ['master', MASTER, 0, 0],
        ['master', MASTER, 5_000, 5_000],
      ])(
        'restored by %s (%s) has its quota %i cut to %i, what the caller may set today',
        async (_, by, quota, expected) => {
          const { acme, mailbox, aName, create } = names;
          const name = aName();
          await create(acme, name);
          await mailbox(MASTER, `a@${name}`, { quota_mb: quota });
          await names.deleteMailbox(acme, `a@${name}`);
          const { body } = await names
            .restore(by === 'acme' ? acme : by, await names.deletedId(acme, `a@${name}`))
            .expect(200);
          expect(body.quota_mb).toBe(expected);
        },
      );

      it('a mailbox leaves out aliases whose domain is gone or whose address is a mailbox now, and a repeat says so again', async () => {
        const { acme, mailbox, remove } = names;
        const { gone, stays } = await names.twoDomains();
        const third = names.aName();
        await names.create(acme, third);
        await names.alias(acme, `z@${third}`, `b@${gone}`);
        await names.alias(acme, `w@${gone}`, `b@${gone}`);
        await names.deleteMailbox(acme, `b@${gone}`);
        await remove(acme, third);
        await mailbox(acme, `y@${stays}`);
        const id = await names.deletedId(acme, `b@${gone}`);
        const { body } = await names.restore(acme, id).expect(200);
        expect(body.left_out).toEqual([
          { address: `y@${stays}`, destination: `b@${gone}` },
          { address: `z@${third}`, destination: `b@${gone}` },
        ]);
        expect((await names.restore(acme, id).expect(200)).body).toEqual(body);
        expect((await names.record(gone)).aliases).toBe(3);
        await names.deleteMailbox(acme, `b@${gone}`);
        await names.restore(acme, id).expect(404);
        await mailbox(acme, `b@${gone}`);
        await names.restore(acme, id).expect(404);
      });

      it('a mailbox comes back only into the same domain: not into one created anew, and again after the domain was restored', async () => {
        const { acme, remove, create } = names;
        const { gone } = await names.twoDomains();
        await names.deleteMailbox(acme, `b@${gone}`);
        const mailboxId = await names.deletedId(acme, `b@${gone}`);
        await remove(acme, gone);
        const domainId = await names.deletedId(acme, gone);
        expect((await names.restore(acme, mailboxId).expect(404)).body.code).toBe('domain_not_found');
        await create(acme, gone);
        expect((await names.restore(acme, mailboxId).expect(404)).body.code).toBe('domain_not_found');
        await remove(acme, gone);
        await names.restore(acme, domainId).expect(200);
        await names.restore(acme, mailboxId).expect(200);
        expect((await names.record(gone)).mailboxes).toBe(2);
      });

      it('a mailbox does not come back after its domain was moved, even when the domain was moved back', async () => {
        const { acme, rival, move, aName, create, mailbox } = names;
        const name = aName();
        await create(acme, name);
        await mailbox(acme, `a@${name}`);
        await names.deleteMailbox(acme, `a@${name}`);
        const id = await names.deletedId(acme, `a@${name}`);
        await move(name, 'rival');
        for (const token of [acme, rival, MASTER]) await names.restore(token, id).expect(404);
        await move(name, 'acme');
        for (const token of [acme, rival, MASTER]) {
          await names.restore(token, id).expect(404);
          expect(await names.listed(token, name)).toEqual([]);
        }
      });

      it('a mailbox comes back until the grace ends, and not from then on, even before the rows are erased', async () => {
        const { acme, api } = names;
        const { gone } = await names.twoDomains();
        for (const email of [`a@${gone}`, `b@${gone}`]) await names.deleteMailbox(acme, email);
        const [first, second] = [await names.deletedId(acme, `a@${gone}`), await names.deletedId(acme, `b@${gone}`)];
        api.clock.advance(7 * DAY_MS - 1);
        await names.restore(acme, first).expect(200);
        api.clock.advance(1);
        expect(await names.listed(acme, gone)).toEqual([]);
        expect((await names.restore(acme, second).expect(404)).body.code).toBe('deleted_not_found');
      });
    });
  }

  describe('restored counters', () => {
    /**
     * Two domains of rival with one name, of which billing deleted the first before acme had the name and gave it away.
     */
    async function twoDeletionsOfOneName(between: () => void = () => {}): Promise<{ taken: string; first: number }> {
      const { acme, aName, api, create, listed, move, remove, rival, sent } = names;
      const taken = aName();
      await create(rival, taken);
      await sent(taken, { count: 5, bytes: 100, sender: `a@${taken}`, id: 'first' });
      await remove(BILLING, taken);
      const [first] = await listed(MASTER, taken);
      between();
      await create(acme, taken);
      await move(taken, 'rival');
      await sent(taken, { count: 7, bytes: 200, sender: `a@${taken}`, id: 'second' });
      await api.as(rival).delete(`/domains/${taken}`).expect(204);
      return { taken, first: first?.id ?? 0 };
    }

    it('a domain that went to another partner and back is restored with its own counters and its newest settings', async () => {
      const { acme, aName, configure, create, deletedId, move, outbound, remove, restore, sent } = names;
      const there = aName();
      await create(acme, there);
      await configure(there, { daily_limit: 50 });
      await sent(there, { count: 2 });
      await move(there, 'rival');
      await sent(there, { count: 3 });
      await move(there, 'acme');
      await configure(there, { daily_limit: 60 });
      await remove(acme, there);
      await restore(acme, await deletedId(acme, there)).expect(200);
      expect(await outbound(there)).toMatchObject({ daily_limit: 60, sent_today: 5, sent_this_month: 5 });
    });

    it('a domain that is restored after another partner had the name adds its counters to those of the later one', async () => {
      const { outbound, restore } = names;
      const { taken, first } = await twoDeletionsOfOneName();
      await restore(MASTER, first).expect(200);
      expect(await outbound(taken)).toMatchObject({ sent_today: 12, sent_this_month: 12, bytes_this_month: 300 });
      expect(await outbound(taken, '/senders')).toMatchObject([{ sender: `a@${taken}`, sent_today: 12 }]);
      const days: { sent: number }[] = await outbound(taken, '/days');
      expect(days.reduce((sum, { sent }) => sum + sent, 0)).toBe(12);
    });

    it('counters of another day and month become closed days and a row of the history', async () => {
      const { api, outbound, restore } = names;
      api.clock.set(new Date('2026-04-28T23:00:00.000Z'));
      const { taken, first } = await twoDeletionsOfOneName(() => api.clock.advance(3 * DAY_MS));
      await restore(MASTER, first).expect(200);
      expect(await outbound(taken)).toMatchObject({ sent_today: 7, sent_this_month: 7, bytes_this_month: 200 });
      expect(await outbound(taken, '/history')).toMatchObject([
        { sent: 5, bytes: 100, period_end: '2026-05-01T00:00:00.000' },
      ]);
      const days: { day: string; sent: number }[] = await outbound(taken, '/days');
      expect(days.filter(({ sent }) => sent > 0)).toMatchObject([
        { day: '2026-04-28', sent: 5 },
        { day: '2026-05-01', sent: 7 },
      ]);
    });

    it('no order of creations, deletions, moves, restorations, messages and resets fails or miscounts', async () => {
      const { api, listed } = names;
      const token = { acme: names.acme, rival: names.rival, master: MASTER, billing: BILLING };
      const restored = { acme: 0, rival: 0, master: 0 };
      const steps = [...FIRST_STEPS, ...fc.sample(step, STEPS)];
      for (const [index, each] of steps.entries()) {
        const request = async (): Promise<{ status: number } | null> => {
          switch (each.do) {
            case 'create':
              return api.as(token[each.who]).post('/domains/', { name: NAME });
            case 'delete':
              return api.as(token[each.who]).delete(`/domains/${NAME}`);
            case 'move':
              return api.as(MASTER).put(`/domains/${NAME}/partner`, { partner_ref: each.who });
            case 'restore': {
              const deletions = await listed(token[each.who], NAME);
              const chosen = deletions[each.which % Math.max(1, deletions.length)];
              if (chosen === undefined) return null;
              const answer = await names.restore(token[each.who], chosen.id);
              if (answer.status === 200) restored[each.who] += 1;
              return answer;
            }
            case 'send': {
              const { count, id } = each;
              return api
                .as(MASTER)
                .post(`/domains/${NAME}/outbound/increment`, { record: true, count, id: `${id}-${count}` });
            }
            case 'wait':
              api.clock.advance(each.hours * HOUR_MS);
              return null;
            case 'reset':
              return api.as(MASTER).post(each.path);
          }
        };
        const status = (await request())?.status ?? 200;
        expect({ index, each, failed: status >= 500 }).toEqual({ index, each, failed: false });
      }
      expect(restored.acme + restored.rival + restored.master).toBeGreaterThan(0);
      expect(await api.container.get(CorrectCounts).execute({ of: 1, remainder: 0 })).toMatchObject({
        counts_mended: 0,
      });
    });
  });
});
