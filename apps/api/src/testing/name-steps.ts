import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { BILLING, MASTER, POLICY, startTestApi, type TestApi } from './api-fixture.js';

export const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** Starts the API with two partners, and returns it with the steps that tests of deleted names share. */
export async function startNameSteps(kind: DatabaseKind, settings: Record<string, string> = {}) {
  const api = await startTestApi(kind, settings);
  return { api, acme: await api.key('acme'), rival: await api.key('rival'), ...stepsOf(api) };
}

export type NameSteps = Awaited<ReturnType<typeof startNameSteps>>;

/** Returns the steps. A step that does not succeed fails the test. */
function stepsOf(api: TestApi) {
  let made = 0;
  const aName = (): string => {
    made += 1;
    return `tomb-${made}.example`;
  };
  const create = (token: string, name: string) => api.as(token).post('/domains/', { name }).expect(201);
  const remove = (token: string, name: string) => api.as(token).delete(`/domains/${name}`).expect(204);
  const again = async (token: string, name: string) => {
    await remove(token, name);
    await create(token, name);
  };
  const move = (name: string, partner_ref: string) =>
    api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref }).expect(200);
  const record = async (name: string) => (await api.as(MASTER).get(`/domains/${name}`).expect(200)).body;
  const outbound = async (name: string, path = '') =>
    (await api.as(MASTER).get(`/domains/${name}/outbound${path}`).expect(200)).body;
  const configure = (name: string, body: object) => api.as(MASTER).put(`/domains/${name}/outbound`, body).expect(200);
  const suspend = (name: string, cause: string) =>
    api.as(MASTER).put(`/domains/${name}/suspend`, { cause }).expect(200);
  /** Counts messages whatever the verdict is. */
  const sent = (name: string, body: object) =>
    api
      .as(POLICY)
      .post(`/domains/${name}/outbound/increment`, { record: true, ...body })
      .expect(200);
  const rowOf = async (name: string) =>
    (await api.database.read('SELECT * FROM domain WHERE name = ?', [name]))[0] ?? {};
  const mailbox = (token: string, email: string, body: object = {}) =>
    api
      .as(token)
      .post('/users/', { email, password_hash: HASH, ...body })
      .expect(201);

  /** Sets every setting of a domain that operators may set. */
  async function setEverything(name: string): Promise<void> {
    await api.as(MASTER).put(`/domains/${name}/plan`, { plan: 'business' }).expect(200);
    api.clock.advance(14 * DAY_MS);
    await api.as(BILLING).put(`/domains/${name}/retention`, { retention_days: 20 }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/transfer`, { transfer_monthly_mb: 77 }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/parent`, { wildcard_mode: 'direct' }).expect(200);
    for (const cause of ['operator', 'billing', 'abuse']) await suspend(name, cause);
    await configure(name, { outbound_status: 'blocked' });
    api.clock.advance(1_000);
    await configure(name, { outbound_status: 'active' });
    api.clock.advance(1_000);
    await configure(name, {
      outbound_tier: 'high',
      outbound_enforcement: 'monitor',
      outbound_status: 'blocked',
      daily_limit: 7,
      monthly_limit: 70,
    });
  }

  return {
    aName,
    create,
    remove,
    again,
    move,
    record,
    outbound,
    configure,
    suspend,
    sent,
    rowOf,
    mailbox,
    setEverything,
  };
}
