import { readTraceparent } from '@mailstead/core/trace';
import { PolicydWorld } from './testing/policyd-world.js';

const DOMAIN = 'acme.example';
const LOGIN = `alice@${DOMAIN}`;
const OUTSIDE = 'a@elsewhere.example';

let world: PolicydWorld;

beforeAll(async () => {
  world = await PolicydWorld.start();
  await world.addDomain(DOMAIN, { outbound_tier: 'unlimited' });
  await world.addMailbox(LOGIN);
  await world.startPolicyd();
});
afterAll(() => world.stop());

type Line = Record<string, unknown>;
const linesOf = (output: string, message: string): Line[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.message === message);
const tracesOf = (path: string) =>
  linesOf(world.api.output, 'request')
    .filter((line) => line.path === path)
    .map(({ trace_id }) => trace_id);

describe('the trace of a decision of the policy daemon', () => {
  it('is sent with each request to the API, a new one each time, and is in the line of the recipient or message that it refused', async () => {
    const mta = await world.mailServer();
    expect((await mta.send({ login: LOGIN, recipients: [OUTSIDE] })).reply).toBeNull();
    const { recipients } = await mta.send({ login: 'a@absent.example', recipients: [OUTSIDE] });
    expect(recipients[0]).toMatch(/^550/);
    const { reply } = await mta.send({ login: LOGIN, recipients: [OUTSIDE], from: `other@${DOMAIN}` });
    expect(reply).toMatch(/^550/);

    await world.api.until(async () => tracesOf('/outbound/increments').length === 2);
    await world.policyd.until(async () => linesOf(world.policyd.output, 'objected').length === 2);
    const looks = tracesOf('/outbound/looks');
    const counts = tracesOf('/outbound/increments');
    const all = [...looks, ...counts];
    expect(all.map((traceId) => readTraceparent(`00-${String(traceId)}-00f067aa0ba902b7-00`))).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
    const [refusedRecipient, refusedMessage] = linesOf(world.policyd.output, 'objected');
    expect(looks).toContain(refusedRecipient?.trace_id);
    expect(refusedMessage?.trace_id).toBe(counts[1]);
  });

  it('is in the line that says that the API did not answer', async () => {
    await world.api.end('SIGKILL');
    const mta = await world.mailServer();
    expect((await mta.send({ login: LOGIN, recipients: [OUTSIDE] })).recipients[0]).toMatch(/^451/);
    await world.policyd.said('the API did not answer the question');
    const [line] = linesOf(world.policyd.output, 'the API did not answer the question');
    expect(line?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  });
});
