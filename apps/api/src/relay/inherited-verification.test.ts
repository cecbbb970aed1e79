import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
  });
  afterAll(() => api.close());

  const check = (id: number) => api.container.get(CheckVerification).execute(id);
  const get = async (name: string) => (await api.as(acme).get(`/domains/${name}`).expect(200)).body;
  const relayStatus = async (name: string) =>
    (await api.as(acme).get(`/domains/${name}/relay-status`).expect(200)).body;
  const create = async (name: string): Promise<number> =>
    (await api.as(acme).post('/domains/', { name }).expect(201)).body.id;
  const verificationJobs = (id: number) =>
    api.jobs.jobs.filter(
      ({ name, payload }) => name === 'domain.verify' && (payload as { domainId: number }).domainId === id,
    );

  /** Creates a verified parent whose new subdomains link to it. */
  async function verifiedParent(): Promise<{ id: number; name: string }> {
    made += 1;
    const name = `parent-${made}.example`;
    const id = await create(name);
    await api.as(MASTER).put(`/domains/${name}/parent`, { wildcard_mode: 'any' }).expect(200);
    await check(id);
    api.relay.says(name, 'verified');
    expect(await check(id)).toBe('verified');
    return { id, name };
  }

  const lose = async ({ id, name }: { id: number; name: string }) => {
    api.relay.says(name, 'failed', 'The DKIM records are gone');
    expect(await check(id)).toBe('lost');
  };

  it('a subdomain of a verified parent starts its own verification when the parent loses its own', async () => {
    const parent = await verifiedParent();
    const id = await create(`a.${parent.name}`);
    expect(verificationJobs(id)).toEqual([]);
    await lose(parent);
    expect(verificationJobs(id)).toHaveLength(1);
    await check(id);
    expect(await relayStatus(`a.${parent.name}`)).toMatchObject({ verification_status: 'pending', verified: false });
    api.relay.says(`a.${parent.name}`, 'verified');
    expect(await check(id)).toBe('verified');
    expect(await get(`a.${parent.name}`)).toMatchObject({ parent: parent.name, verification_status: 'verified' });
  });

  it('a failed verification of a subdomain begins again when the parent loses its own; a verified one is not changed', async () => {
    const parent = await verifiedParent();
    const [failed, verified] = [`failed.${parent.name}`, `verified.${parent.name}`];
    const ids = [await create(failed), await create(verified)] as const;
    for (const id of ids) await check(id);
    api.relay.says(failed, 'failed', 'The DKIM records were not found');
    api.relay.says(verified, 'verified');
    for (const id of ids) await check(id);
    await lose(parent);
    expect(await relayStatus(failed)).toMatchObject({ verification_status: 'pending' });
    expect(await relayStatus(verified)).toMatchObject({ verification_status: 'verified', inherited_from: null });
  });

  it('the poll starts the verification of a domain that has none of its own and inherits none', async () => {
    const parent = await verifiedParent();
    const [heir, orphan] = [`heir.${parent.name}`, 'orphan.example'];
    await create(heir);
    const id = await create(orphan);
    api.clock.advance(2 * HOUR_MS);
    await api.container.get(PollVerifications).execute('pending');
    const started = async (name: string) =>
      (
        await api.database.read(
          'SELECT v.status FROM verification v JOIN domain d ON d.id = v.domain_id WHERE d.name = ?',
          [name],
        )
      )[0]?.status;
    expect(await started(orphan)).toBe('pending');
    expect(await started(heir)).toBe('unverified');
    expect((await relayStatus(orphan)).verified).toBe(false);
    expect(id).toBeGreaterThan(0);
  });

  it('inbound of a never opened subdomain opens when its parent is verified', async () => {
    const parent = 'late-parent.example';
    const id = await create(parent);
    await api.as(MASTER).put(`/domains/${parent}/parent`, { wildcard_mode: 'any' }).expect(200);
    await create(`a.${parent}`);
    expect(await get(`a.${parent}`)).toMatchObject({ inbound: 'pending' });
    await check(id);
    api.relay.says(parent, 'verified');
    await check(id);
    expect(await get(`a.${parent}`)).toMatchObject({ inbound: 'open', verification_status: 'verified' });
  });

  it('dns-check of a subdomain that inherits its verification names the parent and does not require own records', async () => {
    const parent = await verifiedParent();
    const name = `mail.${parent.name}`;
    await create(name);
    const checks = async () => {
      const { body } = await api.as(acme).get(`/domains/${name}/dns-check`).expect(200);
      const byRecord: Record<string, unknown> = Object.fromEntries(
        body.checks.map((each: { record: string }) => [each.record, each]),
      );
      return { ok: body.ok as boolean, byRecord };
    };
    api.dns.mxRecords.set(name, [{ exchange: 'mx.example.net', priority: 10 }]);
    const inherited = await checks();
    for (const record of ['verification', 'dkim'] as const) {
      expect(inherited.byRecord[record]).toMatchObject({
        status: 'ok',
        required: false,
        detail: expect.stringContaining(parent.name),
      });
    }
    expect(inherited.ok).toBe(true);
    await lose(parent);
    expect(await checks()).toMatchObject({ ok: false, byRecord: { dkim: { status: 'error', required: true } } });
  });
});
