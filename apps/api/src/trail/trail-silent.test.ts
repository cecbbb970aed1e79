import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { readinessOf } from '@mailstead/core/health-check';
import { TrailSilentCheck } from '@mailstead/core/trail/trail-silent-check';
import { POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { verifyDomain } from '../testing/verify-domain.js';

onEachDatabase((kind) => {
  let api: TestApi;
  let queue = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    await verifyDomain(api, await api.key('acme'), 'acme.example');
  });
  afterAll(() => api.close());

  /** Counts a message as the policy daemon of a mail server does. */
  async function count(host: string): Promise<void> {
    queue += 1;
    const items = [{ domain: 'acme.example', count: 1, id: `${host}:Q${queue}` }];
    await api.as(POLICY).post('/outbound/increments', { items }).expect(200);
  }
  async function report(...hosts: string[]): Promise<void> {
    const items = hosts.map((host) => ({
      host,
      queue_id: `Q${queue}`,
      at: api.clock.now().toISOString(),
      step: 'relayed',
      direction: 'out',
      domain: 'acme.example',
      sender: 'info@acme.example',
      recipient: 'jane@elsewhere.example',
    }));
    await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
  }
  const warnings = async () => {
    const { isReady, warnings: found } = await readinessOf([api.container.get(TrailSilentCheck)]);
    expect(isReady).toBe(true);
    return found.map(({ name, detail }) => `${name}: ${detail}`);
  };

  it('a mail server whose messages are counted for an hour without a report is a warning, until it reports', async () => {
    await report('mx1.example', 'mx2.example');
    api.clock.advance(MINUTE_MS);
    for (const host of ['mx1.example', 'mx2.example', 'never.example']) await count(host);
    await report('mx2.example');
    api.clock.advance(HOUR_MS - 1);
    await count('mx1.example');
    expect(await warnings()).toEqual([]);
    api.clock.advance(1);
    expect(await warnings()).toEqual([expect.stringMatching(/^trail_silent: .* by mx1\.example, whose/)]);
    await report('mx1.example');
    expect(await warnings()).toEqual([]);
  });

  it('an answer says how long ago a message was counted that its mail server has not reported, after a minute', async () => {
    const key = await api.key('acme');
    const behind = async () =>
      (await api.as(key).get('/messages').expect(200)).headers['mailstead-trail-behind'] as string | undefined;
    await report('mx3.example');
    api.clock.advance(MINUTE_MS);
    await count('mx3.example');
    await count('unknown.example');
    api.clock.advance(MINUTE_MS);
    await count('mx3.example');
    expect(await behind()).toBeUndefined();
    api.clock.advance(1_000);
    expect(await behind()).toBe('61');
    api.clock.advance(HOUR_MS);
    expect(await behind()).toBe('3661');
    await report('mx3.example');
    expect(await behind()).toBeUndefined();
  });

  it('a mail server without mail is none, and its first message after a quiet time is none', async () => {
    await count('mx1.example');
    await report('mx1.example');
    expect(await warnings()).toEqual([]);
    api.clock.advance(10 * HOUR_MS);
    expect(await warnings()).toEqual([]);
    await count('mx1.example');
    expect(await warnings()).toEqual([]);
    await report('mx1.example');
  });

  it('at most five mail servers are named', async () => {
    const hosts = Array.from({ length: 7 }, (_, index) => `many${index}.example`);
    await report(...hosts);
    api.clock.advance(MINUTE_MS);
    for (const host of hosts) await count(host);
    api.clock.advance(HOUR_MS);
    const [warning] = await warnings();
    expect(warning).toContain('many4.example and 2 others');
    expect(warning).not.toContain('many5.example');
  });
});
