import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { bounceOf, manyRecipients, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

/** Maximum number of items of a bulk request. */
const MOST = 1_000;

/**
 * Every item has another domain with a parent, a limited sender and the longest id, which gives the longest statements.
 */
onEachDatabase((kind) => {
  let api: TestApi;
  const indexes = Array.from({ length: MOST }, (_, index) => index);
  const names = indexes.map((index) => `${'a'.repeat(60)}${index}.parent${index}.example`);
  const senders = names.map((name) => `${'s'.repeat(64)}@${name}`);

  beforeAll(async () => {
    api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
    const rows = (row: (index: number) => string) => indexes.map((index) => `(${row(index)})`).join(', ');
    const domain = 'name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb,';
    const state = 'suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count';
    const start = "0, 0, 0, 0, '', 'active', 'none', 'open', 0, 0";
    const write = (sql: string) => api.database.write(sql, [], []);
    await write(
      `INSERT INTO domain (id, ${domain} ${state}) VALUES ${rows((index) => `${2_001 + index}, 'parent${index}.example', 1, ${start}`)}`,
    );
    await write(
      `INSERT INTO domain (id, parent_id, ${domain} ${state}) VALUES ${rows((index) => `${1_001 + index}, ${2_001 + index}, '${names[index]}', 1, ${start}`)}`,
    );
    await write("UPDATE domain SET outbound_tier = 'unlimited'");
    await write(
      `INSERT INTO verification (domain_id, status, dkim_status, dns_records, check_attempt, ownership_token, ownership_required)
       SELECT id, 'verified', '', '[{}]', 0, 't', 0 FROM domain`,
    );
    await write(
      `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       VALUES ${rows((index) => `${1_001 + index}, '${senders[index]}', 's', 'x', 1, 5, 1, 'h', 1`)}`,
    );
  });
  afterAll(() => api.close());

  const verdicts = async (path: string, item: (index: number) => object) =>
    (
      await api
        .as(path.startsWith('/transfer') ? MASTER : POLICY)
        .post(path, { items: indexes.map(item) })
        .expect(200)
    ).body as Record<string, unknown>[];
  const id = (index: number) => `${'i'.repeat(120)}${index}`;

  it('a bulk request of increments counts each, and counts nothing when it is repeated', async () => {
    const item = (index: number) => ({ domain: names[index], sender: senders[index], id: id(index), count: 2 });
    const first = await verdicts('/outbound/increments', item);
    expect(first.map(({ sent_today }) => sent_today)).toEqual(indexes.map(() => 2));
    const again = await verdicts('/outbound/increments', item);
    expect(again).toEqual(first);
    const others = await verdicts('/outbound/increments', (index) => ({ ...item(index), id: `o${id(index)}` }));
    expect(others.map(({ sent_today }) => sent_today)).toEqual(indexes.map(() => 4));
    const over = await verdicts('/outbound/increments', (index) => ({ ...item(index), id: `p${id(index)}` }));
    expect(over.map(({ reason }) => reason)).toEqual(indexes.map(() => 'mailbox_limit'));
  });

  it('a bulk request of transfers counts each', async () => {
    const found = await verdicts('/transfer/increments', (index) => ({
      domain: names[index],
      bytes: 10,
      id: id(index),
    }));
    expect(found).toHaveLength(MOST);
  });

  it('a bulk request of looks has a verdict for each', async () => {
    const found = await verdicts('/outbound/looks', (index) => ({
      domain: names[index],
      sender: senders[index],
      recipient_domain: names[MOST - 1 - index],
    }));
    expect(found.map(({ stays_here }) => stays_here)).toEqual(indexes.map(() => true));
  });

  it('a bulk request of sender checks has a result for each', async () => {
    const found = await verdicts('/outbound/senders/check', (index) => ({
      login: senders[index],
      address: senders[index],
    }));
    expect(found.map(({ allowed }) => allowed)).toEqual(indexes.map(() => true));
  });

  it('many tokens that are used at the same time are found, and their time of use is stored', async () => {
    const keys: string[] = [];
    // Fewer creations at the same time than wait for a connection.
    for (let start = 0; start < 600; start += 50) {
      const group = indexes.slice(start, start + 50).map((index) => api.key(`partner-${index}`));
      keys.push(...(await Promise.all(group)));
    }
    const answers = await Promise.all(keys.map((key) => api.as(key).get('/me')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(600);
  });

  it('a list of more than 1,000 verified identities is confirmed', async () => {
    const verifications = api.container.get(VerificationRepository);
    const known = names as DomainName[];
    expect(await verifications.confirm('verified', known, api.clock.now())).toBe(MOST);
    const strange = Array.from({ length: 40_000 }, (_, index) => `x${index}.example`);
    expect(await verifications.confirm('verified', [...strange, ...known], api.clock.now())).toBe(MOST);
    await verifications.markChecked(
      Array.from({ length: 40_000 }, (_, index) => index),
      api.clock.now(),
    );
  });

  it('relay events of the largest size that arrive together are all stored', async () => {
    const recipients = manyRecipients(40_000);
    const statuses = await Promise.all(
      Array.from({ length: 24 }, () =>
        postSigned(api.url, bounceOf('unknown.example', recipients), { at: api.clock.now() }),
      ),
    );
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(await api.database.read('SELECT id FROM relay_event')).toHaveLength(24);
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
