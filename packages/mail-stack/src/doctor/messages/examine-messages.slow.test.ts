import { readFile, writeFile } from 'node:fs/promises';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import type { MailStackSettings } from '../../settings/mail-stack-settings.js';
import { describeStack } from '../../testing/describe-stack.js';
import type { MailsteadProcess } from '../../testing/mailstead-process.js';
import { addAlias, addDomain, addMailboxes, PASSWORD, POLICY_TOKEN } from '../../testing/platform.js';
import { SmtpClient } from '../../testing/smtp-client.js';
import { WholeStack } from '../../testing/whole-stack.js';
import { PROBE_ADDRESS } from '../probe.js';
import { examineMessages } from './examine-messages.js';
import { ProbeListener } from './probe-listener.js';

/** Settings as plain objects, which a test can copy and change. */
type Plain<T> = T extends object ? { [Name in keyof T]: Plain<T[Name]> } : T;

const DOCTOR = 'doctor@house.test';

describeStack('the doctor sends a message through each port', () => {
  let stack: WholeStack<MailsteadProcess>;
  let settings: Plain<MailStackSettings>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon({ doctorMailbox: DOCTOR });
    ({ settings } = stack.rig);
    await addDomain(stack.platform.master, 'house.test');
    await addMailboxes(stack.platform.master, DOCTOR);
    await writeFile(settings.doctor.passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
    await writeFile(settings.doctor.tokenFile, `POLICY_TOKEN=${POLICY_TOKEN}\n`, { mode: 0o600 });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const examine = async (patienceMs = PATIENCE_MS, changed: Partial<MailStackSettings['doctor']> = {}) =>
    (await examineMessages({ ...settings, doctor: { ...settings.doctor, ...changed } }, patienceMs)).map(
      ({ verdict, sentence }): [string, string] => [verdict, sentence],
    );

  /**
   * Sets a line of main.cf of the instance for users until `check` has ended. It replaces the line with its name: every
   * process of Postfix warns of two when it starts, postlogd too, which waits for itself when its socket is full.
   */
  async function withLine(line: string, check: () => Promise<void>): Promise<void> {
    const directory = settings.postfix.submissionInstance.configDirectory;
    const before = await readFile(`${directory}/main.cf`, 'utf8');
    await stack.rig.postfixAt(directory, 'postconf', '-e', line);
    await stack.rig.postfixAt(directory, 'postfix', 'reload');
    try {
      await check();
    } finally {
      await writeFile(`${directory}/main.cf`, before);
      await stack.rig.postfixAt(directory, 'postfix', 'reload');
    }
  }

  it('and each arrives, those of its mailbox are counted, and none stays in a queue or leaves by a relay', async () => {
    const { mx, submission, submissions } = stack.rig.ports;
    for (const _run of [1, 2]) {
      expect(await examine()).toEqual([
        ['ok', `A message through port ${mx} arrived.`],
        ['ok', `A message of ${DOCTOR} through port ${submission} arrived.`],
        ['ok', `A message of ${DOCTOR} through port ${submissions} arrived.`],
        ['ok', `The messages of ${DOCTOR} were counted.`],
      ]);
    }
    expect(await stack.platform.master.get('/domains/house.test/outbound')).toMatchObject({ sent_today: 4 });
    expect(await stack.rig.queue()).toEqual([]);
    expect(stack.rig.relays.flatMap(({ messages }) => messages)).toEqual([]);
  });

  it('and nobody else can send to the name that it uses', async () => {
    const to = PROBE_ADDRESS.replace('@', '+0123456789abcdef@');
    for (const address of [to, PROBE_ADDRESS, `x@sub.${PROBE_ADDRESS.split('@')[1]}`]) {
      expect([550, 554]).toContain((await stack.receive({ to: address })).code);
      const { code } = await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: address });
      expect([550, 554]).toContain(code);
    }
    const local = await SmtpClient.connect(stack.rig.ports.mx, '127.0.0.1');
    const { reply } = await local.send({ from: 'alice@acme.test', to: PROBE_ADDRESS.replace('probe', 'other') });
    expect(reply).toMatchObject({ code: 550 });
    local.close();
    expect(await stack.rig.queue()).toEqual([]);
  });

  it('and says so when messages leave without being counted', async () => {
    await withLine('smtpd_milters =', async () => {
      expect((await examine()).at(-1)).toEqual([
        'wrong',
        `Mail leaves without being counted, so no limit stops a sender: 2 messages of ${DOCTOR} arrived, and 0 were counted`,
      ]);
    });
  });

  it('and names the port whose message does not arrive, and takes the message out of the queue', async () => {
    const { submission, submissions } = stack.rig.ports;
    await withLine('header_checks = static:HOLD', async () => {
      const found = await examine(2_000);
      const says = (port: number): RegExp =>
        new RegExp(
          `^A message of ${DOCTOR} through port ${port} does not arrive, so what users send is refused, waits or is lost: Postfix took it and did not deliver it within 2 s`,
        );
      expect(found.filter(([verdict]) => verdict === 'wrong')).toEqual([
        ['wrong', expect.stringMatching(says(submission))],
        ['wrong', expect.stringMatching(says(submissions))],
      ]);
    });
    expect(await stack.rig.queue()).toEqual([]);
  });

  it('and says why its message is refused, and what it could not find out', async () => {
    await writeFile(`${stack.rig.folder}/wrong-password`, 'another\n', { mode: 0o600 });
    const refused = await examine(PATIENCE_MS, { passwordFile: `${stack.rig.folder}/wrong-password` });
    expect(refused.slice(1)).toEqual([
      ['wrong', expect.stringMatching(/does not arrive.*Invalid login: 535/)],
      ['wrong', expect.stringMatching(/does not arrive.*Invalid login: 535/)],
    ]);
    await writeFile(`${stack.rig.folder}/open-password`, PASSWORD, { mode: 0o644 });
    const open = await examine(PATIENCE_MS, { passwordFile: `${stack.rig.folder}/open-password` });
    expect(open.slice(1)).toEqual([['wrong', expect.stringMatching(/cannot be read: every user may open/)]]);
    const blind = await examine(PATIENCE_MS, { tokenFile: '/nowhere/policyd.env' });
    expect(blind.at(-1)).toEqual(['warning', expect.stringMatching(/^Whether .* counted is not known: ENOENT/)]);
    expect((await examine(PATIENCE_MS, { mailbox: null })).at(-1)).toEqual([
      'warning',
      expect.stringMatching(/^No message was submitted as a user, because the settings name no mailbox/),
    ]);
    const other = await ProbeListener.start(settings.doctor.address);
    expect(await examine()).toEqual([
      ['wrong', expect.stringMatching(/^No message was sent through the ports.*EADDRINUSE/)],
    ]);
    await other.stop();
  });

  it('and a message to the name by an alias waits in the queue, and does not delay the doctor', async () => {
    const { database } = stack.rig.services;
    await addAlias(stack.acme, 'bounce@acme.test', 'alice@acme.test');
    await database.query("UPDATE installation SET value = 'on' WHERE name = 'forwarding'");
    await database.query(
      `UPDATE alias SET destination = '${PROBE_ADDRESS}', destination_mailbox_id = NULL WHERE address = 'bounce@acme.test'`,
    );
    expect(await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: 'bounce@acme.test' })).toMatchObject({
      code: 250,
    });
    await stack.rig.deferral(PROBE_ADDRESS, 'refused');
    expect((await examine()).map(([verdict]) => verdict)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });
});
