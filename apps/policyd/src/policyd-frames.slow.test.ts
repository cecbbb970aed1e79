import { until } from '@mailstead/core/testing/until';
import { PolicydWorld } from './testing/policyd-world.js';

const DOMAIN = 'acme.example';
const LOGIN = `alice@${DOMAIN}`;
const OUTSIDE = 'a@elsewhere.example';

describe('the policy daemon by frames', () => {
  let world: PolicydWorld;

  beforeAll(async () => {
    world = await PolicydWorld.start({}, 'frames');
    await world.addDomain(DOMAIN, { outbound_tier: 'unlimited' });
    await world.addMailbox(LOGIN);
    await world.startPolicyd();
  });
  afterAll(() => world.stop());

  const sent = async () => (await world.outbound(DOMAIN)).sent_today;
  /** Sends messages of which each is accepted in the end, with a new attempt after each deferral. */
  const sendAll = async (total: number, onMessage: (done: number) => void): Promise<void> => {
    let accepted = 0;
    const client = async (): Promise<void> => {
      const server = await world.mailServer();
      while (accepted < total) {
        const reply = await server.end({ login: LOGIN, recipients: [OUTSIDE] });
        if (reply !== null) expect(reply).toMatch(/^451 /);
        else {
          accepted += 1;
          onMessage(accepted);
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, client));
    world.closeServers();
    expect(accepted).toBeGreaterThanOrEqual(total);
  };

  it('counts exactly the messages that it accepts while the API is killed and stopped under load', async () => {
    const before = await sent();
    let restarted: Promise<unknown> = Promise.resolve();
    const restart = async (signal: 'SIGKILL' | 'SIGTERM') => {
      await world.api.end(signal);
      await world.startApi();
    };
    const begins = new Map([
      [40, 'SIGKILL'],
      [80, 'SIGTERM'],
      [120, 'SIGKILL'],
    ] as const);
    let accepted = 0;
    await sendAll(160, (done) => {
      accepted = done;
      const signal = begins.get(done as 40);
      if (signal !== undefined) restarted = restarted.then(() => restart(signal));
    });
    await restarted;
    // What a killed API counted of a deferred message is the count of a later one.
    expect((await sent()) - before).toBe(accepted);
  });

  it('asks by HTTP while the API has no address for frames, and by frames again soon after it has', async () => {
    const framed = /"message":"the API takes frames again"/g;
    const timesAgain = () => world.policyd.output.match(framed)?.length ?? 0;
    await world.api.end('SIGTERM');
    await world.startApi({ POLICY_API_LISTEN: 'off' });
    const server = await world.mailServer();
    await until(
      'mail to pass by HTTP',
      async () => (await server.end({ login: LOGIN, recipients: [OUTSIDE] })) === null,
    );
    expect(world.policyd.output).toContain('the API does not take frames: it is asked by HTTP');
    const before = timesAgain();
    await world.api.end('SIGTERM');
    await world.startApi();
    await until('frames again', async () => {
      await server.end({ login: LOGIN, recipients: [OUTSIDE] });
      return timesAgain() > before;
    });
    world.closeServers();
  });
});
