import { freePort } from '../../../scripts/free-port.mjs';
import { examineDovecot } from './doctor/examine-dovecot.js';
import { examineWiring } from './doctor/wiring/examine-wiring.js';
import { DOVECOT, describeStack } from './testing/describe-stack.js';
import { inParallel } from './testing/in-parallel.js';
import { LineSocket } from './testing/line-socket.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

/** bcrypt of PASSWORD with the cost that passwords have by default, 10. */
const HASH = '$2b$10$N9qo8uLOickgx2ZMRZoMyeUalutVAUeK1iyhYKLzwpTyWAft3dHE.';
/** The same with cost 4, a thousandth of a second. */
const CHEAP_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMye9COBKsOPKEJDHJoe/BuRouJin6Qswhq';
/** The same with cost 13, half a second of processor time, so that no machine checks 50 while a login waits. */
const COSTLY_HASH = '$2b$13$N9qo8uLOickgx2ZMRZoMyeuRVokmKktg1Qg5QIic4jANLWLS.3Fy6';
const USERS = 60;
const WEBMAIL = '127.0.0.7';
/** The address of a user of the webmail, an office behind one address. */
const OFFICE = '198.51.100.7';
const STRANGER = '127.0.0.8';
/** More than may run and wait of an address. */
const STRANGERS = 50;
/** Another one, which the stranger names. */
const PRETENDED = '203.0.113.9';
/** The number of connections that Postfix takes of an address; the test rig has no such limit by itself. */
const CONNECTIONS = 20;
/** Checks of an address that run at once. */
const RUNNING = 8;

/** `in`, or what the server said instead. */
type Fate = string;
type LogIn = () => Promise<Fate[]>;

const OF_ONE_DOMAIN = Array.from({ length: USERS }, (_, index) => `user${index}@acme.test`);
const DOMAINS = Array.from({ length: 20 }, (_, index) => `office${index}.test`);
const OF_20_DOMAINS = Array.from({ length: USERS }, (_, index) => `user${index}@${DOMAINS[index % DOMAINS.length]}`);
const COSTLY = Array.from({ length: STRANGERS }, (_, index) => `user${index}@beta.test`);

describeStack('the users of a webmail server', () => {
  let stack: WholeStack<MailsteadProcess>;
  let plainPort: number;

  beforeAll(async () => {
    plainPort = await freePort();
    stack = await WholeStack.startWithDaemon({
      dovecot: {
        trustedNetworks: [WEBMAIL],
        imap: `127.0.0.1:${plainPort}`,
        // For more than 100 sessions that have not logged in.
        extra: ['default_process_limit = 300'],
      },
      extra: [`smtpd_client_connection_count_limit = ${CONNECTIONS}`],
    });
    const { acme, beta } = stack;
    await inParallel(DOMAINS, 5, async (name) => await addDomain(acme, name));
    await inParallel([...OF_ONE_DOMAIN, ...OF_20_DOMAINS], 8, async (email) => await addMailboxes(acme, email));
    await inParallel(COSTLY, 8, async (email) => await addMailboxes(beta, email));
    await setHash(COSTLY_HASH, 'beta.test');
  });

  afterAll(async () => {
    await stack?.stop();
  });

  async function setHash(hash: string, ...domains: string[]): Promise<void> {
    for (const domain of domains) {
      await stack.rig.services.database.query('UPDATE mailbox SET password_hash = ? WHERE email LIKE ?', [
        hash,
        `%@${domain}`,
      ]);
    }
  }

  /** Opens sessions. @returns what logs all in at the same moment, and returns what became of each login. */
  async function imapOf(users: readonly string[], address: string, originatingIp?: string): Promise<LogIn> {
    const sessions = await Promise.all(users.map(async () => await stack.rig.imap(address)));
    for (const session of originatingIp === undefined ? [] : sessions)
      await session.command(`ID ("x-originating-ip" "${originatingIp}")`);
    return async () =>
      await Promise.all(
        sessions.map(async (session, index) => {
          // Dovecot ends the session of a check that it could not make in 60 s.
          const answer = await session.login(users[index] ?? '', PASSWORD).catch((error: Error) => error.message);
          session.close();
          if (typeof answer === 'string') return answer;
          return answer.ok ? 'in' : answer.text;
        }),
      );
  }

  async function submissionOf(users: readonly string[], address: string): Promise<LogIn> {
    const sessions = await Promise.all(users.map(async () => await stack.rig.submission(address)));
    return async () =>
      await Promise.all(
        sessions.map(async (session, index) => {
          const { code, text } = await session.login(users[index] ?? '', PASSWORD);
          session.close();
          return code === 235 ? 'in' : text;
        }),
      );
  }

  const allIn = Array(USERS).fill('in');

  describe.each([
    ['20 domains', OF_20_DOMAINS, DOMAINS],
    ['one domain', OF_ONE_DOMAIN, ['acme.test']],
  ])('of %s', (_, users, domains) => {
    it('all get in by IMAP when they come at the same moment, and the webmail does not name their addresses', async () => {
      await setHash(HASH, ...domains);
      const logIn = await imapOf(users, WEBMAIL);
      expect(await logIn()).toEqual(allIn);
    });

    it('all get in by IMAP when the webmail names an address that they share', async () => {
      await setHash(HASH, ...domains);
      const logIn = await imapOf(users, WEBMAIL, OFFICE);
      expect(await logIn()).toEqual(allIn);
      expect(await stack.rig.logs()).toContain(`rip=${OFFICE}`);
    });

    it('all get in by submission, while as many checks of the webmail run as may run at once of an address', async () => {
      await setHash(CHEAP_HASH, ...domains);
      const [others, logIn] = [await imapOf(COSTLY.slice(0, RUNNING), WEBMAIL), await submissionOf(users, WEBMAIL)];
      const begun = others();
      const [fates] = await Promise.all([logIn(), begun]);
      expect(fates).toEqual(allIn);
    });
  });

  it('get in beside a stranger, whose address has its bounds as before, and who can name no other one', async () => {
    await setHash(CHEAP_HASH, 'acme.test');
    const stranger = await imapOf(COSTLY, STRANGER, PRETENDED);
    const logIn = await imapOf(OF_ONE_DOMAIN, WEBMAIL);
    const [strangers, fates] = await Promise.all([stranger(), logIn()]);
    expect(fates).toEqual(allIn);
    expect(strangers.filter((fate) => fate.includes('Too many logins'))).not.toEqual([]);
    expect(await stack.rig.logs()).not.toContain(PRETENDED);
  });

  it('have no number of connections to submission for a limit; others have', async () => {
    const greeting = async (address: string): Promise<string> => {
      const socket = await LineSocket.open(stack.rig.ports.submission, null, address);
      sockets.push(socket);
      return (await socket.readLine()).slice(0, 3);
    };
    const sockets: LineSocket[] = [];
    try {
      for (let number = 0; number < USERS; number += 1) expect(await greeting(WEBMAIL)).toBe('220');
      for (let number = 0; number < CONNECTIONS; number += 1) void (await greeting(STRANGER));
      expect(await greeting(STRANGER)).toBe('421');
    } finally {
      for (const socket of sockets) socket.close();
    }
  });

  it('are missed by the doctor where Dovecot, Postfix or the policy daemon do not know their server', async () => {
    const wrongs = async (trustedNetworks: string[]): Promise<string[]> => {
      const settings = structuredClone(stack.rig.settings);
      settings.dovecot.trustedNetworks = trustedNetworks;
      const findings = [...(await examineWiring(settings)), ...(await examineDovecot(settings))];
      return findings.filter(({ verdict }) => verdict === 'wrong').map(({ sentence }) => sentence);
    };
    expect(await wrongs([WEBMAIL])).toEqual([]);
    expect(await wrongs([WEBMAIL, '::1'])).toEqual([
      expect.stringContaining('smtpd_client_event_limit_exceptions is'),
      expect.stringContaining('login_trusted_networks'),
      expect.stringContaining('the host ::1 of dovecot.trustedNetworks is not in its LOGINS_TRUSTED'),
    ]);
  });

  it('send their passwords without TLS in Dovecot 2.3 only, if the webmail does', async () => {
    const login = async (address: string): Promise<string> => {
      const socket = await LineSocket.open(plainPort, null, address);
      await socket.readLine();
      socket.write(`a LOGIN "alice@acme.test" "${PASSWORD}"\r\n`);
      const answer = await until('the answer', async () => /^a (\w+)/.exec(await socket.readLine())?.[1]);
      socket.close();
      return answer;
    };
    expect([await login(WEBMAIL), await login(STRANGER)]).toEqual([DOVECOT === '2.3' ? 'OK' : 'NO', 'NO']);
  });
});
