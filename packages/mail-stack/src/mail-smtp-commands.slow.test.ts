import { describeStack } from './testing/describe-stack.js';
import { LineSocket } from './testing/line-socket.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { PASSWORD } from './testing/platform.js';
import { SmtpClient } from './testing/smtp-client.js';
import { WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
/** What mail servers and mail programs use: chunks too, which Exchange sends. */
const COMMON = ['8BITMIME', 'CHUNKING', 'ENHANCEDSTATUSCODES', 'PIPELINING', 'SIZE 41943040'];
/** Commands that show addresses, start the delivery of a queue, or let a client be another one. */
const REFUSED = [
  'ETRN example.com',
  'ETRN acme.test',
  'ETRN @acme.test',
  'ETRN #queue',
  'etrn acme.test',
  `VRFY ${ALICE}`,
  `EXPN ${ALICE}`,
  'XCLIENT NAME=mx.example.net ADDR=192.0.2.1',
  'XFORWARD NAME=mx.example.net ADDR=192.0.2.1',
  'TURN',
  'BURL imap://localhost/INBOX LAST',
  `SEND FROM:<${ALICE}>`,
];

describeStack('the SMTP commands', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const submission = async (): Promise<SmtpClient> => await stack.rig.submission();
  const stranger = async (): Promise<SmtpClient> => await stack.rig.stranger();

  /** Returns what a port offers now, without the name of the host. */
  async function offers(client: SmtpClient): Promise<string[]> {
    const { code, text } = await client.command('EHLO client.test');
    expect(code).toBe(250);
    return text.split('\n').slice(1).toSorted();
  }

  it('of port 25 are those that mail servers need, before and in TLS', async () => {
    const client = await stranger();
    expect(await offers(client)).toEqual([...COMMON, 'STARTTLS'].toSorted());
    await client.startTls(stack.rig.certificate.cert);
    expect(await offers(client)).toEqual(COMMON);
    client.close();
  });

  it('of submission are those that mail programs need: no login before TLS', async () => {
    const plain = await SmtpClient.connect(stack.rig.ports.submission);
    expect(await offers(plain)).toEqual([...COMMON, 'DSN', 'STARTTLS'].toSorted());
    plain.close();
    const secured = await submission();
    expect(await offers(secured)).toEqual([...COMMON, 'AUTH PLAIN LOGIN', 'DSN'].toSorted());
    secured.close();
  });

  it('of the port that begins with TLS are the same', async () => {
    const socket = await LineSocket.open(stack.rig.ports.submissions, stack.rig.certificate.cert);
    await socket.readLine();
    socket.write('EHLO client.test\r\n');
    const lines = [await socket.readLine()];
    while (lines.at(-1)?.startsWith('250-')) lines.push(await socket.readLine());
    socket.close();
    const offered = lines.slice(1).map((line) => line.slice(4));
    expect(offered.toSorted()).toEqual([...COMMON, 'AUTH PLAIN LOGIN', 'DSN'].toSorted());
  });

  it.each<[string, () => Promise<SmtpClient>, boolean]>([
    ['port 25', stranger, false],
    ['submission', submission, false],
    ['submission, after a login', submission, true],
  ])('that nobody needs are refused for good on %s', async (_, open, logsIn) => {
    const client = await open();
    if (logsIn) expect(await client.login(ALICE, PASSWORD)).toMatchObject({ code: 235 });
    for (const command of REFUSED) {
      const { code, text } = await client.command(command);
      expect({ command, text, refused: code >= 500 }).toEqual({ command, text, refused: true });
    }
    expect(await client.command('NOOP')).toMatchObject({ code: 250 });
    client.close();
  });
});
