import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeStack } from './testing/describe-stack.js';
import { LineSocket } from './testing/line-socket.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { PASSWORD } from './testing/platform.js';
import { runProgram } from './testing/run-program.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';

describeStack('the transfer of a domain', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon({ dovecot: { countDownloads: true } });
  });
  afterAll(async () => {
    await stack?.stop();
  });

  const month = async (): Promise<{ all: number; in: number; out: number }> => {
    const answer = await stack.platform.master.get('/domains/acme.test/outbound');
    return {
      all: Number(answer.bytes_this_month),
      in: Number(answer.bytes_in_this_month),
      out: Number(answer.bytes_out_this_month),
    };
  };
  const stored = async (): Promise<number> => {
    const sizes = await stack.rig.doveadm('fetch', '-u', ALICE, 'size.physical', 'mailbox', 'INBOX', 'all');
    return [...sizes.matchAll(/size\.physical: (\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  };
  const receive = async (subject: string): Promise<void> => {
    await stack.receive({ to: ALICE, subject, body: 'x'.repeat(2_000) });
    await stack.rig.arrival(ALICE, subject);
  };
  const counted = async (): Promise<void> => {
    await until('what is stored to be counted', async () => (await month()).in === (await stored()));
  };
  /** Rotates Dovecot's log as the rendered file says. */
  const rotate = async (): Promise<void> => {
    const rendered = await readFile(join(stack.rig.folder, 'logrotate.d', 'mailstead'), 'utf8');
    const file = join(stack.rig.folder, 'logrotate.conf');
    // logrotate takes a folder of root alone, and the user of the daemon is not on this machine.
    await writeFile(file, `su root root\n${rendered.replace('root mailstead-policyd', 'root root')}`, { mode: 0o600 });
    await runProgram('logrotate', ['-f', '-s', join(stack.rig.folder, 'logrotate.state'), file]);
  };

  it('has each received message once, with the rendered files alone, after rotations, a kill and a restart of the daemon', async () => {
    await receive('first');
    await counted();
    await rotate();
    await receive('after a rotation');
    await counted();
    await stack.policy.kill();
    await receive('while it was killed');
    await rotate();
    await receive('after a rotation while it was killed');
    await rotate();
    await receive('after another');
    await stack.policy.start();
    await counted();
    await stack.policy.stop();
    await stack.policy.start();
    await receive('last');
    await counted();
    expect(await month()).toMatchObject({ out: 0, all: await stored() });
  });

  it('has what IMAP and POP3 sent when it is set, also of a session that ended while the daemon was killed', async () => {
    const imap = await stack.rig.imap();
    await imap.login(ALICE, PASSWORD);
    await stack.policy.kill();
    await imap.command('SELECT INBOX');
    await imap.command('FETCH 1:* BODY.PEEK[]');
    await imap.logout();
    await stack.policy.start();
    const bytes = await stored();
    const { out } = await until('the session of IMAP to be counted', async () => {
      const now = await month();
      return now.out > 0 ? now : null;
    });
    expect(out).toBeGreaterThan(bytes);
    expect(out).toBeLessThan(bytes + 5_000);

    const pop3 = await LineSocket.open(stack.rig.ports.pop3s, stack.rig.certificate.cert);
    await pop3.readLine();
    for (const command of [`USER ${ALICE}`, `PASS ${PASSWORD}`]) {
      pop3.write(`${command}\r\n`);
      expect(await pop3.readLine()).toMatch(/^\+OK/);
    }
    pop3.write('RETR 1\r\nQUIT\r\n');
    while (!(await pop3.readLine()).startsWith('+OK Logging out'));
    pop3.close();
    const after = await until('the session of POP3 to be counted', async () => {
      const now = await month();
      return now.out > out ? now : null;
    });
    expect(after.out - out).toBeGreaterThan(2_000);
    expect(after.out - out).toBeLessThan(6_000);
    expect(after).toMatchObject({ in: bytes, all: bytes + after.out });
  });
});
