import { readFile, stat } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { Config } from '@mailstead/adapters/config';
import { DemoRows } from '@mailstead/adapters/database/demo/demo-rows';
import { DemoMark } from '@mailstead/adapters/database/installation/demo-mark';
import { DATABASE_KINDS, type DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { openReusedDatabase, type ReusedDatabase } from '@mailstead/adapters/database/testing/reused-database';
import { DEMO_SETTINGS } from '@mailstead/adapters/demo/demo-settings';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { CorrectCounts } from '@mailstead/core/counts/correct-counts';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import { CountRelayEvents } from '@mailstead/core/relay-events/count-relay-events';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { CreateDemoLinks } from './demo-links.js';
import { FillDemo, partnerKeysFile } from './fill-demo.js';
import { INVENTED } from './invented.js';
import { type DemoSize, WHOLE_DEMO } from './many.js';
import { Past } from './past.js';
import { PLOTS, type StoryState } from './story-states.js';

interface Row {
  name: string;
  attention: string[];
  blocked_reason: string | null;
  state: { sends: string; receives: string; reason: string | null };
}

/** The whole demo, or the stories with so many more that the rows of a table take several statements. */
const SIZE = { partners: sampleSize(WHOLE_DEMO.partners, 40), domains: sampleSize(WHOLE_DEMO.domains, 300) };
/** The bench fills in a demo on MariaDB too; `npm run demo` refuses it. */
const KINDS = DATABASE_KINDS.slice(0, sampleSize(2, 1));
const ALL = { of: 1, remainder: 0 };

/** What the API says of a domain in each state: sends, receives, reason, and all reasons for attention. */
const SAID: Record<StoryState, [sends: string, receives: string, reason: string, attention: string]> = {
  suspended_abuse: ['off', 'off', 'domain_suspended', 'suspended'],
  suspended_billing: ['off', 'off', 'domain_suspended', 'suspended'],
  mail_waiting: ['off', 'off', 'domain_suspended', 'suspended mail_waiting'],
  blocked: ['no', 'yes', 'outbound_blocked', 'blocked'],
  bounces: ['no', 'yes', 'outbound_blocked', 'blocked'],
  complaints: ['no', 'yes', 'outbound_blocked', 'blocked'],
  awaited: ['pending', 'pending', 'not_verified', ''],
  unverified: ['pending', 'pending', 'not_verified', 'unverified'],
  failed: ['no', 'no', 'not_verified', 'unverified'],
  lost_lately: ['waits', 'yes', 'not_verified', ''],
  lost: ['no', 'yes', 'not_verified', 'unverified'],
  at_risk: ['at_risk', 'yes', 'dns_at_risk', 'dns_at_risk'],
  daily_near: ['at_risk', 'yes', 'daily_limit', 'daily_limit'],
  daily_full: ['waits', 'yes', 'daily_limit', 'daily_limit'],
  monthly_near: ['at_risk', 'yes', 'monthly_limit', 'monthly_limit'],
  monthly_full: ['waits', 'yes', 'monthly_limit', 'monthly_limit'],
  monitored: ['monitored', 'yes', 'daily_limit', 'daily_limit'],
  transfer_full: ['waits', 'yes', 'transfer_limit', 'transfer_limit'],
  own_limit: ['waits', 'yes', 'daily_limit', 'daily_limit'],
  closed: ['yes', 'no', 'inbound_pending', ''],
  no_mx: ['yes', 'no', 'dns_missing', 'dns_missing'],
  no_spf: ['at_risk', 'yes', 'dns_missing', 'dns_missing'],
  no_records: ['at_risk', 'no', 'dns_missing', 'dns_missing'],
  mx_elsewhere: ['yes', 'at_risk', 'dns_missing', 'dns_missing'],
  mx_mailboxes: ['yes', 'no', 'dns_missing', 'dns_missing'],
  closed_and_full: ['waits', 'no', 'inbound_pending', 'daily_limit'],
  blocked_no_mx: ['no', 'no', 'outbound_blocked', 'blocked dns_missing'],
  suspended_no_spf: ['off', 'off', 'domain_suspended', 'suspended dns_missing'],
};
const REASONS_OF_BLOCKS = { blocked: 'operator', bounces: 'bounce_rate', complaints: 'complaint_rate' };

const startApi = (kind: DatabaseKind) => startTestApi(kind, DEMO_SETTINGS);
const fillIn = (api: TestApi, size?: DemoSize) => api.container.get(FillDemo).execute(size);

/**
 * Fills in a demo that is killed in what happened to the stories, or near its end, in the slow tests in both, and then
 * before the many.
 */
async function fillInKilled(api: TestApi): Promise<void> {
  for (const step of sampled([CountRelayEvents.prototype, SnapshotUsage.prototype], 1)) {
    const killed = jest.spyOn(step, 'execute').mockRejectedValueOnce(new Error('killed'));
    await expect(fillIn(api, SIZE)).rejects.toThrow('killed');
    killed.mockRestore();
  }
  const last = jest.spyOn(DemoRows.prototype, 'add').mockRejectedValueOnce(new Error('killed'));
  await expect(fillIn(api, SIZE)).rejects.toThrow('killed');
  last.mockRestore();
  await fillIn(api, SIZE);
}

/** How many rows the tables of a demo have. */
async function countsOf(api: TestApi): Promise<Record<string, number>> {
  const tables = 'partner domain mailbox alias audit_log domain_attention bounce suppression outbound_day usage_day';
  const counts = tables.split(' ').map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`);
  const [row] = await api.database.read(`SELECT ${counts.join(', ')}`);
  return Object.fromEntries(Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)]));
}

async function read<Result>(api: TestApi, path: string, token = MASTER): Promise<Result> {
  return (await api.as(token).get(path).expect(200)).body;
}

describe('the data of a demo', () => {
  let unkilled: Record<string, number>;

  beforeAll(async () => {
    const api = await startApi('sqlite');
    await fillIn(api, SIZE);
    unkilled = await countsOf(api);
    await api.close();
  });

  // A demo goes on after it was killed, so that all that is stated holds for such a demo too.
  describe.each(KINDS)('on %s', (kind) => {
    let api: TestApi;
    let filled: Record<string, number>;
    let rows: Map<string, Row>;

    beforeAll(async () => {
      api = await startApi(kind);
      await fillInKilled(api);
      filled = await countsOf(api);
      rows = new Map((await read<Row[]>(api, '/domains/?view=full')).map((row) => [row.name, row]));
    });
    afterAll(() => api.close());

    it('is as if it had not been killed', () => {
      expect(filled).toEqual(unkilled);
    });

    it('is as many partners and domains as were asked for, each domain with mailboxes and aliases, all below .example', async () => {
      const [counts] = await api.database.read(
        `SELECT COUNT(*) AS domains, SUM(CASE WHEN name LIKE '%.example' THEN 1 ELSE 0 END) AS examples,
                COUNT(DISTINCT partner_id) AS partners, MIN(mailbox_count) AS mailboxes, MIN(alias_count) AS aliases FROM domain`,
      );
      const numbers = Object.fromEntries(Object.entries(counts ?? {}).map(([name, value]) => [name, Number(value)]));
      const { domains, partners } = SIZE;
      expect(numbers).toEqual({ domains, examples: domains, partners, mailboxes: 1, aliases: 1 });
    });

    it('has a domain in every state, and the API says which', () => {
      const domains = INVENTED.filter(({ stage }) => stage === undefined).flatMap((partner) => partner.domains);
      const said = domains.map(({ name, state }) => {
        const row = rows.get(name);
        const { sends, receives, reason } = row?.state ?? {};
        return [state ?? 'well', name, sends, receives, reason, row?.attention.join(' ')];
      });
      expect(said).toEqual(
        domains.map(({ name, state }) => [
          state ?? 'well',
          name,
          ...(state === undefined ? ['yes', 'yes', null, ''] : SAID[state]),
        ]),
      );
      expect([...new Set(domains.flatMap(({ state }) => state ?? []))].toSorted()).toEqual(
        Object.keys(PLOTS).toSorted(),
      );
      for (const { name, state } of domains) {
        const expected = Object.entries(REASONS_OF_BLOCKS).find(([each]) => each === state);
        if (expected !== undefined) expect(rows.get(name)?.blocked_reason).toBe(expected[1]);
      }
    });

    it('has partners that are suspended in both stages, and nothing wrong with the many', () => {
      const stateOf = (ref: string) => {
        const names = INVENTED.find((partner) => partner.ref === ref)?.domains.map(({ name }) => name) ?? [];
        return names.map((name) => `${rows.get(name)?.state.sends} ${rows.get(name)?.state.receives}`);
      };
      expect(stateOf('warned-hosting')).toEqual(['off yes', 'off yes']);
      expect(stateOf('gone-quiet-media')).toEqual(['off off', 'off off']);
      const stories = new Set(INVENTED.flatMap(({ domains }) => domains.map(({ name }) => name)));
      const many = [...rows.values()].filter(({ name }) => !stories.has(name));
      expect(many.filter(({ state, attention }) => state.reason !== null || attention.length > 0)).toEqual([]);
    });

    it('leaves nothing to correct to the jobs that compare counts, copies, marks and usage', async () => {
      const { container } = api;
      const now = api.clock.now();
      expect(await container.get(CorrectCounts).execute(ALL)).toEqual({
        counts_checked: SIZE.partners + SIZE.domains + 1,
        counts_mended: 0,
      });
      expect(await container.get(StoredCopies).correct(ALL, now)).toBe(0);
      expect(await container.get(AttentionList).sweep(ALL, now)).toBe(0);
      expect(await container.get(SnapshotUsage).execute({ cursor: 0, save: async () => {} })).toMatchObject({
        days: 0,
      });
    });

    it('has the same messages in the days of domains, of senders and of partners, in the counters and in the usage', async () => {
      const sums = await api.database.read(
        `SELECT day, SUM(domains) AS domains, SUM(senders) AS senders, SUM(partners) AS partners, SUM(used) AS used FROM (
           SELECT day, sent AS domains, 0 AS senders, 0 AS partners, 0 AS used FROM outbound_day
            UNION ALL SELECT day, sent_today, 0, 0, 0 FROM outbound_counter
            UNION ALL SELECT day, 0, sent, 0, 0 FROM outbound_sender
            UNION ALL SELECT day, 0, 0, sent, 0 FROM outbound_partner_day WHERE partner_id > 0
            UNION ALL SELECT day, 0, 0, 0, sent FROM usage_day) n GROUP BY day ORDER BY day`,
      );
      const days = sums.map(({ domains, senders, partners, used }) => [domains, senders, partners, used].map(Number));
      const last30 = days.slice(-30);
      for (const [domains = 0, senders, partners] of last30) {
        expect(domains).toBeGreaterThan(SIZE.domains * 3);
        expect([senders, partners]).toEqual([domains, domains]);
      }
      // Today is not over.
      expect(last30.map(([domains, , , used]) => (used === 0 ? 'open' : used === domains ? 'same' : 'other'))).toEqual([
        ...Array(29).fill('same'),
        'open',
      ]);
      const [months] = await api.database.read(
        `SELECT (SELECT SUM(sent_month) FROM outbound_counter) + (SELECT SUM(sent) FROM outbound_history) AS months,
                (SELECT SUM(sent) FROM outbound_sender) AS senders`,
      );
      expect(Number(months?.months)).toBe(Number(months?.senders));
    });

    it('shows 30 days of sending of all partners, and what bounced today', async () => {
      const days = await read<{ sent: number; bounces: number }[]>(api, '/outbound/days');
      expect(days).toHaveLength(30);
      expect(days.at(-1)?.bounces).toBe(3);
      expect(await read(api, '/domains/riverbank-books.example/bounces')).toHaveLength(2);
      const history = await read<unknown[]>(api, '/domains/riverbank-books.example/outbound/history');
      expect(history.length).toBeGreaterThan(0);
    });

    it('tells in events what happened to the domains with a story, in the order of their times', async () => {
      const rows = await api.database.read('SELECT changed_at FROM audit_log ORDER BY id');
      const times = rows.map(({ changed_at: at }) => Number(at));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const types = await api.database.read('SELECT DISTINCT event_type FROM audit_log ORDER BY event_type');
      expect(types.map(({ event_type: type }) => type)).toEqual(
        expect.arrayContaining([
          'domain.created',
          'domain.dns_missing',
          'domain.mail_waiting',
          'domain.outbound_blocked',
          'domain.suspended',
          'domain.verification_at_risk',
          'domain.verification_lost',
          'domain.verified',
        ]),
      );
    });

    it('has a random key for each partner with a story, in a file that only the owner reads', async () => {
      const file = partnerKeysFile(api.container.get(Config).dataDir);
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      for (const line of lines) {
        const [ref, token = ''] = line.split(' ');
        expect(token).toMatch(/^ms_[A-Za-z0-9_-]{43}$/);
        expect(await read(api, '/me', token)).toMatchObject({ partner_ref: ref, scope: 'manage' });
      }
      expect(lines.map((line) => line.split(' ')[0])).toEqual(INVENTED.map(({ ref }) => ref));
    });

    it('has a brand, and a link of each kind, except to a domain that somebody has deleted', async () => {
      expect(await read(api, '/partners/harbour-hosting/brand')).toMatchObject({ name: 'Harbour Mail' });
      const create = () => api.container.get(CreateDemoLinks).execute({ masterToken: MASTER }, '/portal/');
      const links = await create();
      expect(Object.keys(links).toSorted()).toEqual(['dns', 'manage']);
      for (const link of Object.values(links)) expect(link).toMatch(/^\/portal\/enter#code=[A-Za-z0-9_-]{43}$/);
      await api.as(MASTER).delete('/domains/ferry-cafe.example').expect(204);
      expect(Object.keys(await create())).toEqual(['manage']);
    });

    it('is not filled in again', async () => {
      const before = await countsOf(api);
      await fillIn(api, SIZE);
      expect(await countsOf(api)).toEqual(before);
    });
  });
});

describe('the start of a demo', () => {
  let reused: ReusedDatabase;
  let api: TestApi;

  beforeAll(async () => {
    reused = await openReusedDatabase('sqlite');
  });
  beforeEach(async () => {
    api = await startTestApi('sqlite', DEMO_SETTINGS, {}, null, { ...(await reused.asNew()), close: async () => {} });
  });
  afterEach(() => api.close());
  afterAll(() => reused.close());

  it('makes, unless another size is given, 300 partners and 3,000 domains, each name once', async () => {
    jest.spyOn(Past.prototype, 'happen').mockResolvedValueOnce();
    const add = jest.spyOn(DemoRows.prototype, 'add').mockResolvedValueOnce(0);
    await fillIn(api);
    const partners = [...INVENTED, ...(add.mock.calls[0]?.[0] ?? [])];
    const names = partners.flatMap(({ domains }) => domains.map(({ name }) => name));
    expect([new Set(partners.map(({ ref }) => ref)).size, partners.length]).toEqual([300, 300]);
    expect([new Set(names).size, names.length]).toEqual([3_000, 3_000]);
  });

  it('never gets into a database that has other data', async () => {
    await api.as(MASTER).post('/domains/', { name: 'real.example' }).expect(201);
    await expect(fillIn(api, SIZE)).rejects.toThrow("is not a demo's");
    expect(await read<Row[]>(api, '/domains/')).toHaveLength(1);
    expect(await api.container.get(DemoMark).read()).toBeNull();
  });
});
