import { MTA_DOMAIN_ROWS } from '@mailstead/adapters/database/migrations/mta-domain';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS, utcDay, utcMonth } from '@mailstead/core/clock';
import { overallFlow } from '@mailstead/core/domain-states/domain-state';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { FLOWS, type Flow } from '@mailstead/core/domains/flow';
import { OUTBOUND_REASONS } from '@mailstead/core/outbound/decide-outbound';
import { MarkLimits } from '@mailstead/core/outbound/mark-limits';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const PARENT = 'up.example';
const NAME = 'a.up.example';
const BOX = `box@${NAME}`;
const NOW = new Date('2026-03-29T12:00:00.000Z');
const MB = 1_048_576;

const causes = (...from: string[]) => fc.subarray(from).map((drawn) => drawn.join(','));
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const enforcement = fc.constantFrom('enforce', 'monitor', null);
const limit = sometimes(fc.constantFrom(0, 3, 5));
/** Hours after NOW. */
const hours = (...from: number[]) => fc.option(fc.constantFrom(...from).map((each) => NOW.getTime() + each * HOUR_MS));
const seldom = <T>(rare: T, usual: T) => fc.integer({ min: 0, max: 3 }).map((drawn) => (drawn === 0 ? rare : usual));
const domain = fc.record({
  suspension_causes: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    causes('partner', 'operator', 'billing', 'abuse'),
  ),
  outbound_status: seldom('blocked', 'active'),
  outbound_enforcement: enforcement,
  inherited_until: hours(-5, 5),
  inbound: seldom('pending', 'open'),
  operator_daily_limit: limit,
  client_daily_limit: limit,
  operator_monthly_limit: limit,
  temporary_daily_limit: limit,
  temporary_limits_until: hours(-1, 3, 100),
  transfer_monthly_mb: fc.constantFrom(0, 1),
});
const verification = fc.record({
  status: fc.constantFrom('verified', 'verified', 'pending'),
  lost_at: hours(-1, -71, -100),
});
const counter = fc.record({ sent: fc.nat(6), earlier: fc.nat(4), bytes: fc.constantFrom(0, MB - 1, MB) });
const state = fc.record({
  own: fc.record({ domain, verification, counter }),
  parent: fc.record({ domain, verification, counter }),
  isLinked: fc.boolean(),
  suspensions: fc.constantFrom(null, null, 'billing:all', 'operator:changes', 'operator:changes,billing:all'),
  mailbox: fc.record({ limit: fc.constantFrom(0, 2, 4), sent: fc.nat(5) }),
});
/** The words of a state for mail that does not pass. */
const STOPS = ['pending', 'off', 'waits', 'no'];
type State = typeof state extends fc.Arbitrary<infer T> ? T : never;

interface Verdict {
  action: string;
  reason: string | null;
  limited_by: string | null;
  also: string[];
  causes: { cause: string; of: string }[];
  until: string | null;
  lifted_by: string[];
}

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let limited: string;
  const ids = { own: 0, parent: 0, partner: 0 };

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    for (const name of [PARENT, NAME]) {
      const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
      ids[name === NAME ? 'own' : 'parent'] = body.id;
    }
    const [partner] = await api.database.read("SELECT id FROM partner WHERE ref = 'acme'");
    ids.partner = Number(partner?.id);
    const password_hash = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
    await api.as(acme).post('/users/', { email: BOX, password_hash }).expect(201);
    limited = await api.key('acme', { domains: [NAME] });
  });
  afterAll(() => api.close());

  async function setDomain(id: number, { domain: row, verification: verified, counter: used }: State['own']) {
    const columns = Object.entries(row);
    const assignments = columns.map(([column]) => `${column} = ?`).join(', ');
    await api.database.write(`UPDATE domain SET ${assignments} WHERE id = ?`, [
      ...columns.map(([, value]) => value),
      id,
    ]);
    await api.database.write('UPDATE verification SET status = ?, lost_at = ? WHERE domain_id = ?', [
      verified.status,
      verified.lost_at,
      id,
    ]);
    await api.database.write('DELETE FROM outbound_counter WHERE domain_id = ?', [id]);
    const [epoch] = await api.database.read('SELECT day_epoch, month_epoch FROM outbound_epoch WHERE id = 1');
    await api.database.write(
      `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, forwarded_today, partner_day, partner_sent,
         month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
       VALUES (?, ?, ?, ?, 0, '', 0, ?, ?, 0, ?, ?, 0, 0)`,
      [
        id,
        utcDay(NOW),
        Number(epoch?.day_epoch),
        used.sent,
        utcMonth(NOW),
        Number(epoch?.month_epoch),
        used.sent + used.earlier,
        used.bytes,
      ],
    );
  }

  async function set({ own, parent, isLinked, suspensions, mailbox }: State) {
    api.clock.set(NOW);
    await setDomain(ids.own, own);
    await setDomain(ids.parent, parent);
    await api.database.write('UPDATE domain SET parent_id = ? WHERE id = ?', [isLinked ? ids.parent : null, ids.own]);
    const stage = suspensions === null ? null : suspensions.includes('all') ? 'all' : 'changes';
    await api.database.write('UPDATE partner SET suspensions = ?, stage = ? WHERE id = ?', [
      suspensions,
      stage,
      ids.partner,
    ]);
    await api.database.write('UPDATE mailbox SET outbound_daily_limit = ? WHERE email = ?', [mailbox.limit, BOX]);
    await mark([own, parent]);
    await api.database.write('DELETE FROM outbound_sender WHERE domain_id = ?', [ids.own]);
    await api.database.write(
      `INSERT INTO outbound_sender (domain_id, day, sender, day_epoch, sent, sent_elsewhere)
       SELECT ?, ?, ?, day_epoch, ?, 0 FROM outbound_epoch WHERE id = 1`,
      [ids.own, utcDay(NOW), BOX, mailbox.sent],
    );
  }

  /** What is stored of a domain with each change of it. */
  async function mark([own, parent]: [State['own'], State['own']]) {
    await api.database.write('DELETE FROM domain_attention', []);
    for (const [id, { domain: row }] of [
      [ids.own, own],
      [ids.parent, parent],
    ] as const) {
      const reasons = [
        ...(row.suspension_causes === '' ? [] : ['suspended']),
        ...(row.outbound_status === 'blocked' ? ['blocked'] : []),
      ];
      for (const reason of reasons) {
        await api.database.write(
          "INSERT INTO domain_attention (domain_id, reason, partner_id, period) VALUES (?, ?, ?, '')",
          [id, reason, ids.partner],
        );
      }
    }
    await api.container.get(MarkLimits).execute([NAME as DomainName, PARENT as DomainName]);
  }

  async function look(sender: string): Promise<Pick<Verdict, 'action' | 'reason' | 'limited_by'>> {
    const items = [{ domain: NAME, sender, recipient: 'a@outside.example.net' }];
    const [found] = (await api.as(POLICY).post('/outbound/looks', { items }).expect(200)).body;
    return { action: found.action, reason: found.reason, limited_by: found.limited_by ?? null };
  }

  /** What the mail servers do with incoming mail by the rows that they read. */
  async function incomingByRows(): Promise<string> {
    const rows = await api.database.read(`${MTA_DOMAIN_ROWS} AND d.id = ?`, [ids.own]);
    return rows[0] === undefined ? 'none' : Number(rows[0].suspended) === 1 ? 'defer' : 'accept';
  }

  it.each([
    ['a domain', `/domains/${NAME}/outbound`, ''],
    ['a mailbox', `/users/${BOX}`, BOX],
  ])('in every state, the verdict of %s is that of a preview, and so is its end', async (_, path, sender) => {
    await fc.assert(
      fc.asyncProperty(state, async (drawn) => {
        await set(drawn);
        const { body } = await api.as(MASTER).get(path).expect(200);
        const verdict: Verdict = body.verdict;
        const { action, reason, limited_by } = verdict;
        expect({ action, reason, limited_by }).toEqual(await look(sender));
        const named: readonly string[] = OUTBOUND_REASONS.filter((each) => verdict.also.includes(each));
        expect(verdict.also).toEqual(named.filter((each) => each !== reason));
        expect(verdict.lifted_by.length === 0).toBe(reason === null);
        expect(verdict.until !== null).toBe(verdict.lifted_by.includes('itself'));
        if (verdict.until !== null) expect(verdict.lifted_by).toEqual(['itself']);
        const isOver = async (at: number) => {
          api.clock.set(new Date(at));
          const then = await look(sender);
          return action === 'accept' ? then.reason === null : then.action === 'accept';
        };
        if (verdict.until !== null) {
          const until = Date.parse(`${verdict.until}Z`);
          expect([await isOver(until - 1), await isOver(until)]).toEqual([false, true]);
        } else if (reason !== null) {
          expect(await isOver(NOW.getTime() + 40 * DAY_MS)).toBe(false);
        }
        if (kind === 'mariadb') expect(body.incoming.action).toBe(await incomingByRows());
      }),
      { numRuns: sampleSize(60, 8) },
    );
  });

  it('in every state, a key that is limited to the domain gets the same verdict without causes of others', async () => {
    await fc.assert(
      fc.asyncProperty(state, async (drawn) => {
        await set(drawn);
        const verdictOf = async (token: string): Promise<Verdict> =>
          (await api.as(token).get(`/domains/${NAME}/outbound`).expect(200)).body.verdict;
        const [seen, whole, own] = [await verdictOf(limited), await verdictOf(MASTER), await verdictOf(acme)];
        const { action, reason, also, until } = whole;
        const kept = { action, reason, also, until };
        expect(seen).toMatchObject({ ...kept, limited_by: null });
        expect(own).toMatchObject({ ...kept, limited_by: whole.limited_by, lifted_by: whole.lifted_by });
        expect(own.causes.map(({ cause, of }) => [cause, of])).toEqual(
          whole.causes.map(({ cause, of }) => [cause, of]),
        );
        expect(seen.causes.filter(({ of }) => of !== 'domain')).toEqual([]);
        const isOwnDebt = drawn.own.domain.suspension_causes.includes('billing');
        expect(seen.lifted_by.includes('billing')).toBe(isOwnDebt);
      }),
      { numRuns: sampleSize(60, 8) },
    );
  });

  it('in every state, what a domain sends and receives agrees with its verdict, until it changes by itself', async () => {
    const stateOf = async () => (await api.as(MASTER).get(`/domains/${NAME}`).expect(200)).body.state;
    const at = async (moment: number) => {
      api.clock.set(new Date(moment));
      const { sends, receives, reason } = await stateOf();
      return { sends, receives, reason };
    };
    await fc.assert(
      fc.asyncProperty(state, async (drawn) => {
        await set(drawn);
        const shown = await stateOf();
        const { verdict, incoming } = (await api.as(MASTER).get(`/domains/${NAME}/outbound`).expect(200)).body;
        const isStopped = verdict.action !== 'accept';
        expect(STOPS.includes(shown.sends)).toBe(isStopped);
        expect(shown.sends === 'monitored').toBe(!isStopped && verdict.reason !== null);
        expect(STOPS.includes(shown.receives)).toBe(incoming.action !== 'accept');
        if (shown.sends === 'yes') expect(verdict.reason).toBe(null);
        if (shown.reason === null) expect([shown.sends, shown.receives]).toEqual(['yes', 'yes']);
        const { until, ...now } = shown;
        const end = until === null ? NOW.getTime() + 40 * DAY_MS : Date.parse(`${until}Z`);
        expect(await at(end - 1)).toEqual(now);
        if (until !== null) expect(await at(end)).not.toEqual(now);
      }),
      { numRuns: sampleSize(60, 8) },
    );
  });

  it('in every state, a domain is found by its state, and by no other', async () => {
    await fc.assert(
      fc.asyncProperty(state, async (drawn) => {
        await set(drawn);
        const flow = overallFlow((await api.as(MASTER).get(`/domains/${NAME}`).expect(200)).body.state);
        for (const token of [MASTER, acme, limited]) {
          const found = async (...flows: Flow[]) => {
            const { body } = await api
              .as(token)
              .get(`/domains/?state=${flows.join(',')}`)
              .expect(200);
            return body.some(({ name }: { name: string }) => name === NAME);
          };
          expect([flow, await found(flow)]).toEqual([flow, true]);
          expect([flow, await found(...FLOWS.filter((each) => each !== flow))]).toEqual([flow, false]);
        }
      }),
      { numRuns: sampleSize(60, 8) },
    );
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
