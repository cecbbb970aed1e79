import type { Child } from '@mailstead/core/testing/child';
import { until } from '@mailstead/core/testing/until';
import { freePort } from '../../../scripts/free-port.mjs';
import { type RunningMariadb, type Stoppable, startServices } from '../../../scripts/services.mjs';
import { PolicydWorld } from './testing/policyd-world.js';

const DOMAIN = 'acme.example';
const LOGIN = `alice@${DOMAIN}`;
const OUTSIDE = 'a@elsewhere.example';
const CLIENTS = 4;

describe.each(['HTTP', 'frames'] as const)('the policy daemon with two APIs, by %s', (way) => {
  let services: RunningMariadb & Stoppable;
  let world: PolicydWorld;
  let other: Child;
  let otherPort: number;

  beforeAll(async () => {
    services = await startServices({ mariadb: true });
    world = await PolicydWorld.start(
      { DATABASE_URL: services.mariadbUrl, SECRET_KEY: 'secret-key-of-the-policy-tests-0123456789' },
      way,
    );
    otherPort = await freePort();
    other = await world.apiOn(otherPort);
    await world.addDomain(DOMAIN, { outbound_tier: 'unlimited' });
    await world.addMailbox(LOGIN);
    const frames = [world.apiPort, otherPort].map((port) => world.framesOf(port)).join();
    await world.startPolicyd({
      MAILSTEAD_URL: `${world.url},http://127.0.0.1:${otherPort}`,
      POLICY_API: way === 'frames' ? frames : '',
    });
  });
  afterAll(async () => {
    await other.end('SIGKILL');
    await world.stop();
    await services.stop();
  });

  /** Sends mail from several clients until each sent 20 messages after the event. */
  async function sendAround(event: () => Promise<unknown>): Promise<{
    sent: number;
    wrong: string[];
    /** The longest answer before the event, and of all. */
    calmMs: number;
    longestMs: number;
  }> {
    const wrong: string[] = [];
    let [sent, calmMs, longestMs, isOver] = [0, 0, 0, false];
    const client = async (): Promise<void> => {
      const server = await world.mailServer();
      for (let after = 0; after < 20; after += isOver ? 1 : 0) {
        const begun = performance.now();
        const { recipients, reply } = await server.send({ login: LOGIN, recipients: [OUTSIDE] });
        longestMs = Math.max(longestMs, performance.now() - begun);
        if (reply === null) sent += 1;
        else wrong.push(`${recipients.join()} ${reply}`);
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    await until('mail to be sent', () => sent >= 20);
    calmMs = longestMs;
    await event();
    isOver = true;
    await Promise.all(clients);
    world.closeServers();
    return { sent, wrong, calmMs, longestMs };
  }

  const counted = async () => (await world.outbound(DOMAIN)).sent_today;

  it.each([
    ['frozen', 'SIGSTOP'],
    ['killed', 'SIGKILL'],
  ] as const)(
    'defers nothing and answers within 2 s when the one that it asks is %s under load, and counts each message once',
    async (_, signal) => {
      const before = await counted();
      const { sent, wrong, calmMs, longestMs } = await sendAround(async () => {
        world.api.process.kill(signal);
      });
      if (signal === 'SIGSTOP') world.api.process.kill('SIGCONT');
      else await world.startApi();
      expect(wrong).toEqual([]);
      // A machine under load needs longer for each answer, also before the event.
      expect(longestMs).toBeLessThan(2_000 + 5 * calmMs);
      expect((await counted()) - before).toBe(sent);
    },
  );

  it('defers while both are away, and goes on when only the second is back', async () => {
    await Promise.all([world.api, other].map((api) => api.end('SIGKILL')));
    const before = await world.mailServer();
    const { recipients } = await before.send({ login: LOGIN, recipients: [OUTSIDE] });
    expect(recipients).toEqual([expect.stringMatching(/^DEFER|^4/)]);
    other = await world.apiOn(otherPort);
    await until('mail to pass', async () => {
      return (await before.send({ login: LOGIN, recipients: [OUTSIDE] })).reply === null;
    });
    world.closeServers();
  });
});
