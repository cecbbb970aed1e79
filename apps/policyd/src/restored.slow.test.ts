import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PolicydWorld } from './testing/policyd-world.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LOGIN = 'alice@acme.example';
const MESSAGE = { login: LOGIN, recipients: ['a@elsewhere.example'] };
const RESTORED = /^450 4\.7\.1 The mail service was restored/;
const run = promisify(execFile);

it('with POLICY_FAIL=open, mail is deferred until a restored API is accepted, also while that API is away', async () => {
  const world = await PolicydWorld.start();
  try {
    await world.addDomain('acme.example', { outbound_tier: 'unlimited' });
    await world.addMailbox(LOGIN);
    await world.startPolicyd({ POLICY_FAIL: 'open' });
    const mta = await world.mailServer();
    expect((await mta.send(MESSAGE)).reply).toBeNull();
    await world.api.end('SIGKILL');
    // Passed while the API was away: it is in the journal.
    await world.policyd.until(async () => (await mta.send(MESSAGE)).reply === null);
    const env = { ...process.env, DATA_DIR: `${world.folder}/api` };
    const command = (name: string, args: string[]) =>
      run(process.execPath, [`${ROOT}apps/api/dist/${name}.js`, ...args], { env });
    await command('backup', ['--to', `${world.folder}/backup`]);
    await rm(`${world.folder}/api`, { recursive: true });
    await command('restore', ['--from', `${world.folder}/backup`]);
    await world.startApi();
    await world.policyd.until(async () => RESTORED.test((await mta.send(MESSAGE)).recipients[0] ?? ''));
    expect(await mta.end(MESSAGE)).toMatch(RESTORED);
    await world.api.end('SIGKILL');
    expect((await mta.send(MESSAGE)).recipients[0]).toMatch(/^451 /);
    expect(await mta.end(MESSAGE)).toMatch(/^451 /);
    await world.startApi();
    expect((await world.outbound('acme.example')).sent_today).toBe(1);
    await command('restore', ['--accept']);
    await world.policyd.until(async () => (await mta.send(MESSAGE)).reply === null);
    // Those of the journal, and the last one.
    await world.policyd.until(async () => (await world.outbound('acme.example')).sent_today >= 3);
  } finally {
    await world.stop();
  }
});
