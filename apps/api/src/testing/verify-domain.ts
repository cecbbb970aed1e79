import { MASTER, type TestApi } from './api-fixture.js';

/** Creates a domain that the relay provider then verifies. */
export async function verifyDomain(api: TestApi, token: string, name: string): Promise<void> {
  await api.as(token).post('/domains/', { name }).expect(201);
  await api.as(MASTER).post(`/domains/${name}/relay-verify`).expect(202);
  api.relay.says(name, 'verified');
  api.clock.advance(20_000);
  const { body } = await api.as(token).get(`/domains/${name}/relay-status`).expect(200);
  expect(body.verified).toBe(true);
}
