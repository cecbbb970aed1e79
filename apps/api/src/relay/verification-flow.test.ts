import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { SandboxRelayProvider } from '@mailstead/adapters/sandbox-relay/sandbox-relay-provider';
import { HOUR_MS } from '@mailstead/core/clock';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const SECRET = `whsec_${Buffer.from('the secret of the verification tests').toString('base64')}`;

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind, { NOTIFY_WEBHOOK_URL: 'https://example.org/hook', NOTIFY_WEBHOOK_SECRET: SECRET });
  });
  afterAll(() => api.close());

  describe('the verification of a domain', () => {
    let acme: string;

    beforeAll(async () => {
      acme = await api.key('acme');
    });
    afterEach(() => {
      api.relay.down = false;
    });

    const create = async (name: string): Promise<number> =>
      (await api.as(acme).post('/domains/', { name }).expect(201)).body.id;
    const check = (id: number) => api.container.get(CheckVerification).execute(id);
    const poll = (status: 'pending' | 'verified') => api.container.get(PollVerifications).execute(status);
    const status = async (name: string) => (await api.as(acme).get(`/domains/${name}/relay-status`).expect(200)).body;
    const told = async (name: string) =>
      (await api.database.read<{ type: string; data: string }>('SELECT type, data FROM notification'))
        .filter(({ data }) => data.includes(`"${name}"`))
        .map(({ type }) => type);

    it('starts at the creation of the domain, shows the records, and notifies of success once', async () => {
      const id = await create('flow.example');
      await check(id);
      expect(await status('flow.example')).toMatchObject({
        verification_status: 'pending',
        verified: false,
        dkim_status: 'pending',
      });
      expect((await status('flow.example')).dns_records).toHaveLength(4);
      api.relay.says('flow.example', 'verified');
      expect(await check(id)).toBe('verified');
      expect(await check(id)).toBeNull();
      expect(await told('flow.example')).toEqual(['domain.verified']);
      expect((await api.as(acme).get('/domains/flow.example').expect(200)).body).toMatchObject({
        inbound: 'open',
        verification_status: 'verified',
      });
    });

    it('keeps the state when the provider does not respond, and responds with 200 and `last_error`', async () => {
      const id = await create('down.example');
      await check(id);
      api.relay.down = true;
      api.clock.advance(20_000);
      expect(await status('down.example')).toMatchObject({
        verification_status: 'pending',
        last_error: expect.stringContaining('does not answer'),
      });
      api.relay.down = false;
      api.relay.says('down.example', 'verified');
      await check(id);
      api.relay.down = true;
      await check(id);
      expect(await status('down.example')).toMatchObject({ verified: true });
    });

    it('calls the provider at most once in 10 s for reads of the status', async () => {
      const id = await create('calm.example');
      await check(id);
      api.clock.advance(20_000);
      const before = api.relay.calls;
      await Promise.all(Array.from({ length: 10 }, () => status('calm.example')));
      expect(api.relay.calls - before).toBe(1);
      api.clock.advance(10_000);
      await status('calm.example');
      expect(api.relay.calls - before).toBe(2);
    });

    it('never uses an identity that was not created by Mailstead', async () => {
      api.relay.foreign.add('foreign.example');
      const id = await create('foreign.example');
      expect(await check(id)).toBe('failed');
      expect(await status('foreign.example')).toMatchObject({
        verification_status: 'failed',
        last_error: expect.stringContaining('outside Mailstead'),
      });
      expect(await told('foreign.example')).toEqual(['domain.verification_failed']);
    });

    it('fails when the provider reports failure, and starts again with relay-verify', async () => {
      const id = await create('late.example');
      await check(id);
      api.relay.says('late.example', 'failed', 'The DKIM records were not found in 72 hours');
      expect(await check(id)).toBe('failed');
      await api.as(MASTER).post('/domains/late.example/relay-verify').expect(202);
      expect(await status('late.example')).toMatchObject({ verification_status: 'pending', last_error: null });
    });

    it('is lost only when the provider reports it: notified once, mail deferred for 72 hours, then rejected', async () => {
      const id = await create('lost.example');
      await check(id);
      api.relay.says('lost.example', 'verified');
      await check(id);
      api.relay.says('lost.example', 'failed', 'The DKIM records are gone');
      api.clock.advance(HOUR_MS);
      await poll('verified');
      expect(await told('lost.example')).toEqual(['domain.verified', 'domain.verification_lost']);
      const verdict = async () =>
        (await api.as(MASTER).post('/domains/lost.example/outbound/increment', {}).expect(200)).body;
      expect(await verdict()).toMatchObject({ action: 'defer', reason: 'not_verified' });
      api.clock.advance(72 * HOUR_MS + 1);
      expect(await verdict()).toMatchObject({ action: 'reject', reason: 'not_verified' });
      expect((await api.as(acme).get('/domains/lost.example').expect(200)).body.inbound).toBe('open');
    });

    it("polls many domains with the provider's list, and one more call for each change", async () => {
      const ids: number[] = [];
      for (let index = 0; index < 12; index += 1) ids.push(await create(`many-${index}.example`));
      for (const id of ids) await check(id);
      api.relay.says('many-7.example', 'verified');
      api.relay.says('many-8.example', 'failed', 'no');
      api.clock.advance(2 * HOUR_MS);
      await poll('pending');
      api.clock.advance(2 * HOUR_MS);
      api.relay.says('many-9.example', 'verified');
      const before = api.relay.calls;
      await poll('pending');
      expect(api.relay.calls - before).toBe(2);
      expect((await status('many-7.example')).verified).toBe(true);
      expect((await status('many-9.example')).verified).toBe(true);
    });

    it('deletes the identity of a deleted domain, unless the domain was created again', async () => {
      const id = await create('again.example');
      await check(id);
      await api.as(acme).delete('/domains/again.example').expect(204);
      await api.container.get(DeleteIdentity).execute({ domainId: id, name: 'again.example' });
      expect(api.relay.identities.has('again.example')).toBe(false);
    });

    it('relay-verify of a verified domain answers 202, changes nothing and writes nothing', async () => {
      const id = await create('firm.example');
      await check(id);
      api.relay.says('firm.example', 'verified');
      await check(id);
      const stored = () => api.database.read('SELECT * FROM verification WHERE domain_id = ?', [id]);
      const audited = async () => (await api.as(MASTER).get('/audit?domain=firm.example').expect(200)).body.length;
      const [before, rows, jobs] = [await stored(), await audited(), api.jobs.jobs.length];
      api.clock.advance(HOUR_MS);
      const { body } = await api.as(MASTER).post('/domains/firm.example/relay-verify').expect(202);
      expect(body).toMatchObject({ verification_status: 'verified', verified: true });
      expect(await stored()).toEqual(before);
      expect(await audited()).toBe(rows);
      expect(api.jobs.jobs).toHaveLength(jobs);
    });

    it('a domain that an operator closed stays closed when it loses its verification and gets it back', async () => {
      const id = await create('closed.example');
      await check(id);
      const inbound = async () => (await api.as(acme).get('/domains/closed.example').expect(200)).body.inbound;
      api.relay.says('closed.example', 'verified');
      await check(id);
      expect(await inbound()).toBe('open');
      await api.as(MASTER).put('/domains/closed.example/inbound', { inbound: 'pending' }).expect(200);
      for (const state of ['failed', 'verified'] as const) {
        api.relay.says('closed.example', state);
        await check(id);
      }
      expect(await inbound()).toBe('pending');
    });

    it('reads of the status do not use up the planned checks', async () => {
      const id = await create('polled.example');
      await check(id);
      for (let read = 0; read < 8; read += 1) {
        api.clock.advance(10_000);
        await status('polled.example');
      }
      const [row] = await api.database.read('SELECT next_check_at FROM verification WHERE domain_id = ?', [id]);
      expect(Number(row?.next_check_at)).toBeGreaterThan(api.clock.now().getTime());
    });
  });

  describe('the verification of a subdomain', () => {
    let acme: string;
    let made = 0;

    beforeAll(async () => {
      acme = await api.key('inherits');
    });

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

  describe('the sandbox', () => {
    it('a domain that the sandbox verified stays verified through relay-verify, at every moment after it', async () => {
      const sandbox = new SandboxRelayProvider({ verifyAfterSeconds: 5 }, api.clock);
      Object.assign(api.relay, {
        ensureIdentity: sandbox.ensureIdentity.bind(sandbox),
        readIdentity: sandbox.readIdentity.bind(sandbox),
      });
      const { body } = await api.as(MASTER).post('/domains/', { name: 'embedded.example' }).expect(201);
      const check = () => api.container.get(CheckVerification).execute(body.id);
      const status = async () =>
        (await api.as(MASTER).get('/domains/embedded.example').expect(200)).body.verification_status;
      await check();
      api.clock.advance(5_000);
      await check();
      expect(await status()).toBe('verified');
      await api.as(MASTER).post('/domains/embedded.example/relay-verify').expect(202);
      for (let second = 0; second < 8; second += 1) {
        await check();
        expect(await status()).toBe('verified');
        api.clock.advance(1_000);
      }
      const verdict = await api.as(MASTER).post('/domains/embedded.example/outbound/increment', {}).expect(200);
      expect(verdict.body).toMatchObject({ allowed: true, verified: true });
    });
  });
});
