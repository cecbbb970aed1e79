import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const SECRET = `whsec_${Buffer.from('the secret of the verification tests').toString('base64')}`;

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    api = await startTestApi(kind, { NOTIFY_WEBHOOK_URL: 'https://example.org/hook', NOTIFY_WEBHOOK_SECRET: SECRET });
    acme = await api.key('acme');
  });
  afterAll(() => api.close());
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
    for (let index = 0; index < 40; index += 1) ids.push(await create(`many-${index}.example`));
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
