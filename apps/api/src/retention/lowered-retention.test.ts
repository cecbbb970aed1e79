import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { RemindRetention } from '@mailstead/core/domains/remind-retention';
import { BILLING, MASTER } from '../testing/api-fixture.js';
import { documentedMembers } from '../testing/documented-members.js';
import { StoredMail } from '../testing/stored-mail.js';

const NOTIFIED = {
  NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
  NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`,
};

onHttpDatabase((kind) => {
  let mail: StoredMail;
  let made = 0;

  beforeAll(async () => {
    mail = await StoredMail.start(kind, NOTIFIED);
  });
  afterAll(() => mail.stop());

  /** Creates a domain with the retention of the largest plan, 90 days, which the purge applies. */
  async function onEnterprise(): Promise<string> {
    const name = `plan-${(made += 1)}.example`;
    await mail.domain(name);
    await setPlan(name, 'enterprise');
    await pass(15);
    await mail.purge();
    mail.deliver(name);
    await mail.api.database.write('DELETE FROM notification');
    return name;
  }

  /** Advances the clock day by day, and runs the reminders each day. */
  async function pass(days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      mail.api.clock.advance(DAY_MS);
      await mail.api.container.get(RemindRetention).execute();
    }
  }

  const setPlan = (name: string, plan: string, token = MASTER) =>
    mail.api.as(token).put(`/domains/${name}/plan`, { plan }).expect(200);
  const notified = async (name: string) =>
    (
      await mail.api.database.read<{ type: string; data: string }>(
        "SELECT type, data FROM notification WHERE type = 'domain.retention_lowered' ORDER BY id",
      )
    )
      .map(({ data }) => JSON.parse(data) as Record<string, unknown>)
      .filter(({ domain }) => domain === name);
  const audited = async (name: string) =>
    (await mail.api.as(MASTER).get(`/audit?domain=${name}`).expect(200)).body
      .filter(({ action }: { action: string }) => action === 'domain.retention_lowered')
      .slice(1);

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['a plan', (name) => setPlan(name, 'starter')],
    ['a plan of billing', (name) => setPlan(name, 'starter', BILLING)],
    ['billing', (name) => mail.setRetention(name, 30, BILLING)],
  ])(
    'lowered by %s reaches the purge after 14 days, and operators are notified at once and on day 10',
    async (_, lower) => {
      const name = await onEnterprise();
      await lower(name);
      const effectiveAt = new Date(mail.api.clock.now().getTime() + 14 * DAY_MS).toISOString().slice(0, -1);
      const first = {
        domain: name,
        partner_ref: null,
        retention_days: 30,
        retention_days_before: 90,
        effective_at: effectiveAt,
        reminder: false,
      };
      expect(await notified(name)).toEqual([first]);
      expect(documentedMembers('domain.retention_lowered')).toEqual(Object.keys(first).sort());
      await pass(9);
      expect(await notified(name)).toHaveLength(1);
      await pass(1);
      expect(await notified(name)).toEqual([first, { ...first, reminder: true }]);
      await pass(3);
      await mail.purge();
      expect(mail.ages(name)).toEqual([10, 40, 70]);
      await pass(1);
      await mail.purge();
      expect(mail.ages(name)).toEqual([10]);
      await pass(10);
      expect(await notified(name)).toHaveLength(2);
      const rows = await audited(name);
      expect(rows.map(({ actor_kind }: { actor_kind: string }) => actor_kind).at(-1)).toBe('system');
      expect(rows.at(-1)).toMatchObject({
        before: { retention_days: 90 },
        after: { retention_days: 30, reminder: true },
      });
    },
  );

  it('raised again before, nothing is removed by the lower value and nobody is reminded', async () => {
    const name = await onEnterprise();
    await setPlan(name, 'starter');
    await pass(9);
    await setPlan(name, 'enterprise');
    await pass(10);
    await mail.purge();
    expect(mail.ages(name)).toEqual([10, 40, 70]);
    expect(await notified(name)).toHaveLength(1);
  });

  it('lowered by master reaches the purge after 24 hours, without a notification', async () => {
    const name = await onEnterprise();
    await mail.setRetention(name, 30);
    await pass(1);
    await mail.purge();
    expect(mail.ages(name)).toEqual([10]);
    expect(await notified(name)).toEqual([]);
  });

  it('two plans one after the other: each value is applied after its own 14 days', async () => {
    const name = await onEnterprise();
    await setPlan(name, 'business');
    await pass(2);
    await setPlan(name, 'starter');
    await pass(11);
    await mail.purge();
    expect(mail.ages(name)).toEqual([10, 40, 70]);
    await pass(1);
    await mail.purge();
    expect(mail.ages(name)).toEqual([10, 40]);
    expect(await notified(name)).toHaveLength(4);
    await pass(2);
    await mail.purge();
    expect(mail.ages(name)).toEqual([10]);
  });
});
