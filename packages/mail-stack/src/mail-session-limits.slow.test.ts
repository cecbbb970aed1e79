import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { examineSessions } from './doctor/examine-sessions.js';
import { configDirectoryOf } from './render/render-postfix.js';
import { sessionLimits } from './render/session-limits.js';
import { describeStack } from './testing/describe-stack.js';
import type { ImapClient } from './testing/imap-client.js';
import { chunksOf } from './testing/in-parallel.js';
import { PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { runProgram } from './testing/run-program.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const SESSIONS = 100;
/** Of one mailbox from one address. */
const OF_AN_ADDRESS = 50;
/** Other tests run other Dovecots beside this one. */
const INSTANCE = `limits-${process.pid}`;
const [ALICE, BOB, CAROL] = ['alice@acme.test', 'bob@acme.test', 'carol@beta.test'] as const;

describeStack('the limits of sessions', () => {
  let stack: WholeStack<PolicyStandIn>;
  const sessions: ImapClient[] = [];
  const strangers: Socket[] = [];

  beforeAll(async () => {
    stack = await WholeStack.start({ dovecot: { sessions: SESSIONS, instanceName: INSTANCE } });
  });
  afterAll(async () => {
    for (const session of sessions) session.close();
    for (const stranger of strangers) stranger.destroy();
    await stack?.stop();
  });

  const open = async (address: string): Promise<{ session: ImapClient; ok: boolean; text: string }> => {
    const session = await stack.rig.imap();
    sessions.push(session);
    return { session, ...(await session.login(address, PASSWORD)) };
  };

  /** Returns what the doctor says of this kind. The values of this machine's Linux are not what is tested. */
  const doctor = async (verdict: 'warning' | 'wrong'): Promise<string[]> =>
    (await examineSessions(stack.rig.settings))
      .filter((finding) => finding.verdict === verdict && !finding.sentence.includes('inotify'))
      .map(({ sentence }) => sentence);

  const metrics = async (): Promise<string[]> => {
    const folder = `${stack.rig.folder}/metrics`;
    await mkdir(folder, { recursive: true });
    await runProgram('chown', ['postfix', folder]);
    // As the unit runs it: the user postfix, who can do nothing else.
    const config = configDirectoryOf(stack.rig.settings, 'mx');
    const file = `${folder}/queues.prom`;
    await runProgram('setpriv', [
      ...'--reuid postfix --regid postfix --clear-groups --no-new-privs --inh-caps=-all'.split(' '),
      process.execPath,
      ...`${MAIN} queues --config ${config} --out ${file} --dovecot ${INSTANCE} --sessions ${SESSIONS}`.split(' '),
    ]);
    const text = await readFile(file, 'utf8');
    return text.split('\n').filter((line) => line.startsWith('mailstead_dovecot_'));
  };

  it('let a login in beside as many connections without one as there may be, whose oldest end, and the doctor calls nothing wrong', async () => {
    const { loginProcesses, loginClients } = sessionLimits(stack.rig.settings);
    const places = loginProcesses * loginClients;
    const { imaps } = stack.rig.ports;
    let ended = 0;
    for (const chunk of chunksOf(Array.from({ length: places + loginClients }), 100)) {
      await Promise.all(
        chunk.map(async () => {
          const stranger = connect({ host: '127.0.0.1', port: imaps, localAddress: '127.0.0.9' });
          strangers.push(stranger);
          await once(stranger, 'connect');
          stranger.on('error', () => undefined);
          stranger.on('close', () => {
            ended += 1;
          });
          stranger.resume();
        }),
      );
    }
    await until('the oldest connections to end', async () => await Promise.resolve(ended > 0));
    expect(await stack.login(ALICE, PASSWORD)).toBe('OK');
    // Dovecot writes its warning only when its master finds a connection before a full login process takes it.
    for (const sentence of await doctor('warning')) {
      expect(sentence).toMatch(/service\(imap-login\): process_limit .*the oldest ones without a login were ended/);
    }
    expect(await doctor('wrong')).toEqual([]);
    for (const stranger of strangers) stranger.destroy();
  });

  it('are 50 of a mailbox from one address, and the 51st is told so', async () => {
    for (let count = 0; count < OF_AN_ADDRESS; count += 1) expect(await open(ALICE)).toMatchObject({ ok: true });
    const { session, ok, text } = await open(ALICE);
    session.close();
    expect([ok, text]).toEqual([false, expect.stringMatching(/^\[LIMIT\] Maximum number of connections/)]);
  });

  it('are dovecot.sessions of all mailboxes, which the metric and the doctor tell, and mail arrives all the same', async () => {
    await until('one place for each session', async () => (await metrics())[0]?.endsWith(` ${OF_AN_ADDRESS}`));
    expect(await doctor('wrong')).toEqual([]);
    for (let count = OF_AN_ADDRESS; count < SESSIONS; count += 1) expect(await open(BOB)).toMatchObject({ ok: true });
    expect(await metrics()).toEqual([
      `mailstead_dovecot_sessions{protocol="imap"} ${SESSIONS}`,
      'mailstead_dovecot_sessions{protocol="pop3"} 0',
      `mailstead_dovecot_sessions_limit ${SESSIONS}`,
    ]);
    await expect(stack.login(CAROL, PASSWORD)).rejects.toThrow('closed the connection');
    expect(await doctor('wrong')).toEqual([
      expect.stringMatching(/service\(imap\): process_limit \(100\) reached.*mail programs were refused/),
    ]);
    await stack.receive({ to: CAROL, subject: 'while it is full' });
    await stack.rig.arrival(CAROL, 'while it is full');
    sessions.at(-1)?.close();
    await until('a place for another session', async () => (await stack.login(CAROL, PASSWORD).catch(String)) === 'OK');
  });
});
