import type { MailServer } from './testing/mail-server.js';
import { PolicydWorld } from './testing/policyd-world.js';

const DOMAIN = 'acme.example';
const LOGIN = `alice@${DOMAIN}`;
const BLOCKED = 'a@blocked.example';
const OUTSIDE = 'a@elsewhere.example';

let world: PolicydWorld;
let mta: MailServer;

const sent = async () => (await world.outbound(DOMAIN)).sent_today;
const send = (recipients: readonly string[] = [OUTSIDE], login = LOGIN) => mta.send({ login, recipients });

async function start(way: 'HTTP' | 'frames'): Promise<void> {
  world = await PolicydWorld.start({}, way);
  for (const name of [DOMAIN, 'blocked.example']) await world.addDomain(name, { outbound_tier: 'unlimited' });
  for (const email of [LOGIN, BLOCKED]) await world.addMailbox(email);
  await world.mailstead.PUT('/domains/{domain_name}/outbound', {
    params: { path: { domain_name: 'blocked.example' } },
    body: { outbound_status: 'blocked' },
  });
  await world.startPolicyd();
}

describe.each(['HTTP', 'frames'] as const)('the policy daemon by %s, without the API and between two starts', (way) => {
  beforeAll(() => start(way));
  beforeEach(async () => {
    mta = await world.mailServer();
  });
  afterEach(() => world.closeServers());
  afterAll(() => world.stop());

  it('never gives a wrong reply when it is restarted under load, and never counts fewer messages than it accepts', async () => {
    const before = await sent();
    const total = 200;
    let [interrupted, accepted] = [0, 0];
    let stopped: Promise<number | null> = Promise.resolve(null);
    const wrong: unknown[] = [];
    const messages = Array.from({ length: total }, (_, index) => index).values();
    const smtpd = async (): Promise<void> => {
      let server: MailServer | null = null;
      for (const index of messages) {
        for (let isDone = false; !isDone && wrong.length === 0; ) {
          try {
            server ??= await world.mailServer();
            const reply = await server.end({ login: LOGIN, recipients: [OUTSIDE] });
            if (reply === null) accepted += 1;
            else wrong.push(reply);
            isDone = true;
          } catch {
            // Postfix defers the message. The test sends a new one instead.
            if (server !== null) interrupted += 1;
            server = null;
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }
        if (index === 60) stopped = world.policyd.end('SIGTERM').finally(() => world.startPolicyd());
        if (index === 120) {
          expect(await stopped).toBe(0);
          await world.policyd.end('SIGKILL');
          await world.startPolicyd();
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, smtpd));
    expect(wrong).toEqual([]);
    expect(accepted).toBe(total);
    const counted = (await sent()) - before;
    expect(counted).toBeGreaterThanOrEqual(total);
    expect(counted).toBeLessThanOrEqual(total + interrupted);
  });

  it('lets a limited number of messages pass while the API is unavailable with POLICY_FAIL=open, and counts each once later', async () => {
    await world.restartPolicyd('SIGTERM', { POLICY_FAIL: 'open' });
    mta = await world.mailServer();
    const end = (count: number, login = LOGIN) =>
      mta.end({ login, recipients: Array.from({ length: count }, (_, index) => `r${index}@elsewhere.example`) });
    expect((await send([OUTSIDE], BLOCKED)).recipients[0]).toMatch(/^550/);
    // Mail that stays on the platform says nothing about what may leave it.
    expect((await send([LOGIN], BLOCKED)).reply).toBeNull();
    const before = await sent();
    await world.api.end('SIGKILL');
    expect((await send([OUTSIDE], BLOCKED)).recipients[0]).toMatch(/^451/);
    expect(await end(1, BLOCKED)).toMatch(/^451/);
    expect((await send()).reply).toBeNull();
    expect(await end(59)).toBeNull();
    expect(await end(41)).toMatch(/^451/);
    expect(await end(40)).toBeNull();
    expect((await send()).recipients[0]).toMatch(/^451/);
    await world.restartPolicyd('SIGKILL', { POLICY_FAIL: 'open' });
    mta = await world.mailServer();
    expect(await end(1)).toMatch(/^451/);
    expect(await end(1, BLOCKED)).toMatch(/^451/);
    await world.startApi();
    await world.policyd.until(async () => (await sent()) === before + 100);
    expect(await end(1)).toBeNull();
    expect(await sent()).toBe(before + 101);
  });

  it('allows only the login’s own address while the API is unavailable with POLICY_FAIL=open', async () => {
    await world.api.end('SIGKILL');
    for (const [fail, own] of [
      ['open', null],
      ['closed', expect.stringMatching(/^451 /)],
    ] as const) {
      await world.restartPolicyd('SIGTERM', { POLICY_FAIL: fail, POLICYD_DATA_DIR: `${world.folder}/own-${fail}` });
      mta = await world.mailServer();
      const mail = { login: LOGIN, recipients: [OUTSIDE] };
      expect(await mta.end(mail)).toEqual(own);
      expect(await mta.end({ ...mail, from: 'boss@beta.example' })).toMatch(/^451 /);
    }
    await world.startApi();
  });

  it('lets a domain’s mail pass with POLICY_FAIL=open although a message with a forged From was refused before', async () => {
    await world.restartPolicyd('SIGTERM', { POLICY_FAIL: 'open', POLICYD_DATA_DIR: `${world.folder}/forged` });
    mta = await world.mailServer();
    const mail = { login: LOGIN, recipients: [OUTSIDE] };
    expect(await mta.end({ ...mail, from: 'boss@beta.example' })).toBe(
      '550 5.7.1 You may not send as <boss@beta.example> [sender_not_allowed]',
    );
    await world.api.end('SIGKILL');
    expect(await mta.end(mail)).toBeNull();
    await world.startApi();
  });
});
