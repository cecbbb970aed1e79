import { readFile } from 'node:fs/promises';
import { describeStack } from './testing/describe-stack.js';
import type { ImapClient } from './testing/imap-client.js';
import { LineSocket } from './testing/line-socket.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const [ALICE, BOB] = ['alice@acme.test', 'bob@acme.test'];
const AUTH = `AUTH PLAIN ${Buffer.from(`\0${ALICE}\0${PASSWORD}`).toString('base64')}`;

// Each smtpd serves many sessions, as on a real host: it keeps the failed answers of the ones before.
describeStack('an outage of the database', () => {
  let stack: WholeStack<PolicyStandIn>;
  let outages: MailsteadProcess;
  let reader: ImapClient;

  beforeAll(async () => {
    stack = await WholeStack.start({
      ownDatabase: true,
      settings: { test: { smtpdMaxUse: 0, fastFailures: true } },
    });
    outages = await stack.platform.startOutages(stateFile());
    reader = await stack.rig.imap();
    expect(await reader.login(BOB, PASSWORD)).toMatchObject({ ok: true });
  });
  afterAll(async () => {
    reader?.close();
    await outages?.stop();
    await stack?.stop();
  });

  const stateFile = (): string => stack.rig.settings.doctor.outagesState ?? '';
  const state = async (): Promise<string[]> => (await readFile(stateFile(), 'utf8')).trim().split(' ');
  const received = async (): Promise<number> => (await stack.receive({ to: ALICE })).code;
  const database = () => stack.rig.services.mariadb;
  /** Of both instances of Postfix. */
  const reloads = async (): Promise<number> => (await stack.rig.logs()).split(' reload -- version').length - 1;
  const reloaded = async (count: number): Promise<void> => {
    await until(`${count} reloads`, async () => (await reloads()) === count);
  };

  /** The first lines that a client gets, on port 587 and 465: at its connection and at its login. */
  async function submissionAnswers(): Promise<string[]> {
    const answers: string[] = [];
    const { ports, certificate } = stack.rig;
    for (const [port, ca] of [[ports.submission, null] as const, [ports.submissions, certificate.cert] as const]) {
      const socket = await LineSocket.open(port, ca);
      const greeting = await socket.readLine();
      socket.write(`${AUTH}\r\n`);
      answers.push(`${greeting.slice(0, 3)} ${(await socket.readLine()).slice(0, 3)}`);
      socket.close();
    }
    return answers;
  }
  const submissionLogin = async (): Promise<number> => {
    const client = await stack.rig.submission();
    const { code } = await client.login(ALICE, PASSWORD);
    await client.quit();
    return code;
  };

  /** Kills the database, and waits until the program has noticed. Meanwhile mail comes, and people log in. */
  async function breakDatabase(): Promise<void> {
    await database()?.kill();
    await until('the outage to be noticed', async () => {
      expect(await submissionAnswers()).toEqual(['451 503', '451 503']);
      expect(await received()).toBe(451);
      expect(await stack.login(ALICE, PASSWORD)).toContain('[UNAVAILABLE]');
      return (await state())[1] === 'fails';
    });
  }
  /** What was refused before is accepted at the first attempt, and the session that was open before goes on. */
  async function expectService(): Promise<void> {
    expect([await stack.login(ALICE, PASSWORD), await submissionLogin(), await received()]).toEqual(['OK', 235, 250]);
    expect(await reader.command('NOOP')).toMatchObject({ ok: true });
  }

  it('is 451 instead of the banner of submission, never 535 for a right password, and over for everybody when the database is back', async () => {
    await expectService();
    expect(await reloads()).toBe(0);
    await breakDatabase();
    await database()?.start();
    await reloaded(2);
    await expectService();
  });

  it('is followed by one reload of each Postfix', async () => {
    const [before = ''] = await state();
    await until('further looks', async () => {
      const [time = '', works] = await state();
      expect(works).toBe('works');
      return Date.parse(time) - Date.parse(before) > 30_000;
    });
    expect(await reloads()).toBe(2);
  });

  it('is over also when it ends while the program is killed, and a second one too', async () => {
    await breakDatabase();
    await outages.kill();
    await database()?.start();
    await outages.start();
    await reloaded(4);
    await expectService();
  });

  it('by a database that hangs lets clients of submission and of port 25 wait, and Dovecot give up by itself', async () => {
    const [{ file } = {}] = await stack.rig.services.database.query('SELECT @@pid_file AS file');
    const pid = Number(await readFile(String(file), 'utf8'));
    const lost = async (): Promise<number> => (await stack.rig.logs()).split('Lost connection to server').length;
    const lostBefore = await lost();
    const stranger = await stack.rig.stranger();
    process.kill(pid, 'SIGSTOP');
    try {
      const waiting = await LineSocket.open(stack.rig.ports.submission);
      const banner = waiting.readLine();
      const reply = stranger.send({ from: 'friend@elsewhere.test', to: ALICE, subject: 'waited' });
      expect(await stack.login(ALICE, PASSWORD)).toContain('[UNAVAILABLE]');
      expect(await lost()).toBeGreaterThan(lostBefore);
      await until('the outage to be noticed', async () => (await state())[1] === 'fails');
      process.kill(pid, 'SIGCONT');
      expect(await banner).toMatch(/^220 /);
      expect((await reply).reply).toMatchObject({ code: 250 });
      waiting.close();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await reloaded(6);
    await expectService();
    await stack.rig.arrival(ALICE, 'waited');
    stranger.close();
  });
});
