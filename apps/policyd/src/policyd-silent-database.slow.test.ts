import { SECOND_MS } from '@mailstead/core/clock';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { startServices } from '../../../scripts/services.mjs';
import { DEADLINE_FACTOR } from '../../../scripts/test-timeout.mjs';
import { PolicydWorld } from './testing/policyd-world.js';

const DOMAIN = 'acme.example';
const LOGIN = `alice@${DOMAIN}`;
const SMTPDS = 8;
/** What `docs/operations.md` promises, with the factor of the processes. */
const ALL_SERVED_MS = 10 * SECOND_MS * DEADLINE_FACTOR;

it('a firewall that forgets the connections of the API to MariaDB defers some messages, and each accepted one is counted', async () => {
  const services = await startServices({ mariadb: true });
  const front = await TcpBalancer.start([Number(new URL(services.mariadbUrl).port)], 'backup');
  const world = await PolicydWorld.start({
    DATABASE_URL: front.urlOf(services.mariadbUrl),
    SECRET_KEY: 'secret-key-of-the-policy-tests-0123456789',
  });
  try {
    await world.addDomain(DOMAIN, { outbound_tier: 'unlimited' });
    await world.addMailbox(LOGIN);
    await world.startPolicyd();

    const load = { isOn: true };
    let hushedAt = 0;
    /** Since the connections fell silent, in milliseconds. */
    let lastDeferral = 0;
    let [accepted, deferred] = [0, 0];
    const smtpd = async (): Promise<void> => {
      const server = await world.mailServer();
      while (load.isOn) {
        const reply = await server.end({ login: LOGIN, recipients: ['a@elsewhere.example'] });
        if (reply === null) {
          accepted += 1;
          continue;
        }
        // Postfix sends the message later.
        expect(reply).toMatch(/^4/);
        deferred += 1;
        lastDeferral = performance.now() - hushedAt;
      }
    };
    const smtpds = Promise.all(Array.from({ length: SMTPDS }, smtpd));
    const acceptedMore = async () => {
      const before = accepted;
      await world.policyd.until(async () => accepted > before + 10 * SMTPDS);
    };
    for (let round = 1; round <= 2; round += 1) {
      await acceptedMore();
      hushedAt = performance.now();
      front.hush();
      await acceptedMore();
      expect(lastDeferral).toBeLessThan(ALL_SERVED_MS);
      lastDeferral = 0;
    }
    load.isOn = false;
    await smtpds;
    // The count of a deferred message may have been stored, and is sent again with the same id.
    const counted = (await world.outbound(DOMAIN)).sent_today;
    expect(counted).toBeGreaterThanOrEqual(accepted);
    expect(counted).toBeLessThanOrEqual(accepted + deferred);
  } finally {
    await world.stop();
    await front.stop();
    await services.stop();
  }
});
