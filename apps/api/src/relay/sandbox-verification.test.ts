import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { SandboxRelayProvider } from '@mailstead/adapters/sandbox-relay/sandbox-relay-provider';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  it('a domain that the sandbox verified stays verified through relay-verify, at every moment after it', async () => {
    const sandbox = new SandboxRelayProvider({ verifyAfterSeconds: 5 }, api.clock);
    Object.assign(api.relay, {
      ensureIdentity: sandbox.ensureIdentity.bind(sandbox),
      readIdentity: sandbox.readIdentity.bind(sandbox),
    });
    const { body } = await api.as(MASTER).post('/domains/', { name: 'firm.example' }).expect(201);
    const check = () => api.container.get(CheckVerification).execute(body.id);
    const status = async () => (await api.as(MASTER).get('/domains/firm.example').expect(200)).body.verification_status;
    await check();
    api.clock.advance(5_000);
    await check();
    expect(await status()).toBe('verified');
    await api.as(MASTER).post('/domains/firm.example/relay-verify').expect(202);
    for (let second = 0; second < 8; second += 1) {
      await check();
      expect(await status()).toBe('verified');
      api.clock.advance(1_000);
    }
    const verdict = await api.as(MASTER).post('/domains/firm.example/outbound/increment', {}).expect(200);
    expect(verdict.body).toMatchObject({ allowed: true, verified: true });
  });
});
