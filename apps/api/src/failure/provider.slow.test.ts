import { type SesEmulator, startSesEmulator } from '@mailstead/adapters/ses/testing/ses-emulator';
import { sesSettings } from '@mailstead/adapters/ses/testing/ses-settings';
import { TestPlatform } from '../testing/platform.js';

describe('verification with SES, by the worker', () => {
  let emulator: SesEmulator;
  let platform: TestPlatform;

  beforeAll(async () => {
    emulator = await startSesEmulator();
    platform = await TestPlatform.start({
      ...sesSettings(emulator),
    });
  });
  afterAll(async () => {
    await platform.stop();
    await emulator.close();
  });
  beforeEach(() => emulator.reset());

  const status = async (name: string) => (await platform.api.call('GET', `/domains/${name}/relay-status`)).body;
  /** Makes all waiting jobs due, as if their backoff had passed. */
  const makeJobsDue = async () => {
    await platform.sql("UPDATE job SET run_at = 0 WHERE state = 'waiting'");
    await platform.sql('UPDATE verification SET last_checked_at = NULL');
  };
  const becomes = (name: string, wanted: string) =>
    platform.api.until(async () => {
      await makeJobsDue();
      return (await platform.api.call('GET', `/domains/${name}`)).body.verification_status === wanted;
    });

  it('verifies a domain that was created over the API, when its DNS records exist', async () => {
    expect((await platform.api.call('POST', '/domains/', { name: 'plain.example' })).status).toBe(201);
    await platform.api.until(async () => emulator.identity('plain.example') !== undefined);
    await becomes('plain.example', 'pending');
    const records = (await status('plain.example')).dns_records as { purpose: string; name: string }[];
    const tokens = emulator.identity('plain.example')?.tokens ?? [];
    expect(records.filter(({ purpose }) => purpose === 'dkim').map(({ name }) => name)).toEqual(
      tokens.map((token) => `${token}._domainkey.plain.example`),
    );
    emulator.verify('plain.example');
    await becomes('plain.example', 'verified');
  });

  it('continues after error pages, broken connections, throttling and time-outs; relay-status responds meanwhile', async () => {
    emulator.limitRate(600_000);
    const names = ['a.example', 'b.example', 'c.example'];
    for (const name of names) expect((await platform.api.call('POST', '/domains/', { name })).status).toBe(201);
    await platform.api.until(async () => emulator.requests.length >= 2);
    await platform.api.until(async () => (await status('a.example')).last_error !== null);
    expect(await status('a.example')).toMatchObject({
      verification_status: 'pending',
      last_error: expect.stringContaining('takes no more requests'),
    });
    for (const fault of ['html503', 'html200', 'reset', 'hang'] as const) emulator.fault(fault);
    emulator.limitRate(null);
    for (const name of names)
      expect((await platform.api.call('GET', `/domains/${name}/relay-status`)).status).toBe(200);
    await platform.api.until(async () => {
      await makeJobsDue();
      return names.every((name) => emulator.identity(name) !== undefined);
    });
    for (const name of names) emulator.verify(name);
    for (const name of names) await becomes(name, 'verified');
  });
});
