import { ask } from './doctor/ask.js';
import { describeStack } from './testing/describe-stack.js';
import { chunksOf, inParallel } from './testing/in-parallel.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, PASSWORD } from './testing/platform.js';
import { recipientForms } from './testing/recipient-forms.js';
import type { SmtpClient, SmtpReply } from './testing/smtp-client.js';
import { BYTES, hasByteAboveAscii, strangeAddresses } from './testing/strange-addresses.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const RANDOM = 120;
const ALICE = 'alice@acme.test';
const LANES = 8;
/** After 20 refusals Postfix ends a session. */
const REFUSALS = 15;
/** Postfix 3.10 reads no more of a session after a line that is much longer than 2,048 bytes. */
const LONG = 1500;

describeStack('input of every form', () => {
  let stack: WholeStack<MailsteadProcess>;
  const addresses = strangeAddresses(RANDOM);

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon({ ownDatabase: true });
    await addAlias(stack.acme, 'info@acme.test', ALICE);
    await stack.rig.services.database.query("SET GLOBAL log_output = 'TABLE'; SET GLOBAL general_log = 1");
  });

  afterAll(async () => {
    await stack?.stop();
  });

  // Postfix asks no database for 60 s after one error, so one is noticed here.
  afterEach(async () => {
    expect(await stack.receive({ to: 'bob@acme.test' })).toMatchObject({ code: 250 });
    expect(await stack.submit(ALICE, { from: ALICE, to: OUTSIDE })).toMatchObject({ code: 250 });
    expect(await stack.login(ALICE, PASSWORD)).toBe('OK');
    expect(await logged(/query failed|Illegal mix|lookup (error|failure)/)).toEqual([]);
  });

  /** Returns the lines of the logs that match. */
  const logged = async (pattern: RegExp): Promise<string[]> =>
    (await stack.rig.logs()).split('\n').filter((line) => pattern.test(line));
  const stranger = async (): Promise<SmtpClient> => await stack.rig.stranger();
  const user = async (): Promise<SmtpClient> => {
    const client = await stack.rig.submission();
    await client.login(ALICE, PASSWORD);
    return client;
  };

  /** Returns the items of each session: as many as Postfix takes, and a long one alone. */
  const sessionsOf = <Item>(items: readonly Item[]): Item[][] => {
    const isLong = (item: Item): boolean => JSON.stringify(item).length > LONG;
    return [
      ...chunksOf(
        items.filter((item) => !isLong(item)),
        REFUSALS,
      ),
      ...items.filter(isLong).map((item) => [item]),
    ];
  };

  /** Sends each item's commands, in sessions with as many items as Postfix takes. */
  async function inSessions<Item>(
    open: () => Promise<SmtpClient>,
    items: readonly Item[],
    work: (client: SmtpClient, item: Item) => Promise<void>,
  ): Promise<void> {
    await inParallel(sessionsOf(items), LANES, async (session) => {
      const client = await open();
      for (const [index, item] of session.entries()) {
        if (index > 0) await client.command('RSET');
        await work(client, item);
      }
      client.close();
    });
  }

  /** Fails on a temporary reply, and on another reply than 5.6.7 to a byte above 127. */
  function expectDecided(line: string, { code, text }: SmtpReply): void {
    const decided = hasByteAboveAscii(line)
      ? code === 553 && text.startsWith('5.6.7 ')
      : code === 250 || (code >= 500 && code < 600);
    expect({ line, code, text, decided }).toEqual({ line, code, text, decided: true });
  }

  describe.each([
    ['port 25', stranger],
    ['submission', user],
  ])('on %s', (_, open) => {
    it('is taken or refused as sender and as recipient, and leaves the other recipients alone', async () => {
      await inSessions(open, addresses, async (client, address) => {
        const line = `MAIL FROM:<${address}>`;
        const reply = await client.command(line);
        expectDecided(line, reply);
        if (reply.code !== 250) return;
        expect([line, (await client.command('RCPT TO:<bob@acme.test>')).code]).toEqual([line, 250]);
      });
      await inSessions(open, addresses, async (client, address) => {
        await client.command(`MAIL FROM:<${ALICE}>`);
        const line = `RCPT TO:<${address}>`;
        expectDecided(line, await client.command(line));
      });
    });

    it('is taken or refused as HELO, and leaves the recipients alone', async () => {
      await inParallel(chunksOf(BYTES, REFUSALS), LANES, async (bytes) => {
        const client = await open();
        for (const line of bytes.flatMap((byte) => [`HELO ${byte}`, `EHLO a${byte}b`])) {
          const { code } = await client.command(line);
          expect({ line, code }).toEqual({ line, code: code === 250 ? 250 : 501 });
        }
        await client.command(`MAIL FROM:<${ALICE}>`);
        expect((await client.command('RCPT TO:<bob@acme.test>')).code).toBe(250);
        client.close();
      });
    });

    it.each(['MAIL FROM:<alice@acme.test> SMTPUTF8', 'mail from: <alice@acme.test>  BODY=8BITMIME smtputf8 SIZE=1'])(
      'is refused with 5.6.7 for the parameter of %s',
      async (line) => {
        const client = await open();
        expect(await client.command(line)).toMatchObject({ code: 553, text: expect.stringMatching(/^5\.6\.7 /) });
        client.close();
      },
    );
  });

  describe('as login', () => {
    const logins = [...addresses, ...BYTES.map((byte) => `al${byte}ice@acme.test`)].filter((text) => text !== ALICE);
    const plain = (login: string): string => Buffer.from(`\0${login}\0${PASSWORD}`, 'latin1').toString('base64');

    it('is refused by IMAP, and not as an error of the server', async () => {
      await inParallel(chunksOf(logins, 8), 40, async (chunk) => {
        const imap = await stack.rig.imap();
        for (const login of chunk) {
          const { ok, text } = await imap.command(`AUTHENTICATE PLAIN ${plain(login)}`);
          expect([login, ok, text]).toEqual([login, false, expect.not.stringMatching(/UNAVAILABLE|SERVERBUG/)]);
        }
        imap.close();
      });
    });

    it('is refused on submission', async () => {
      await inParallel(sessionsOf(logins), 40, async (chunk) => {
        const client = await stack.rig.submission();
        for (const login of chunk) {
          const { code } = await client.command(`AUTH PLAIN ${plain(login)}`);
          // 501: not a login; 500: a line that Postfix 3.10 finds too long.
          expect([login, code]).toEqual([login, [500, 501].includes(code) ? code : 535]);
        }
        client.close();
      });
    });
  });

  it('is answered by the quota policy', async () => {
    const endpoint = stack.rig.settings.dovecot.quotaStatus;
    // Postfix refuses longer ones.
    const asked = addresses.filter(({ length }) => length < 255);
    await inParallel(asked, LANES, async (address) => {
      const request = `request=smtpd_access_policy\nprotocol_state=RCPT\nrecipient=${address}\nsize=1\n\n`;
      const answer = await ask(endpoint, Buffer.from(request, 'latin1'), (text) => text.includes('\n\n'));
      expect([address, answer.toString('latin1')]).toEqual([address, 'action=DUNNO\n\n']);
    });
  });

  it('never reaches the database with a byte above 127', async () => {
    const [counted] = await stack.rig.services.database.query(
      `SELECT COUNT(*) AS all_queries, COALESCE(SUM(argument REGEXP '[^[:ascii:]]'), 0) AS strange FROM mysql.general_log
        WHERE command_type = 'Query' AND user_host LIKE 'rig\\_m%'`,
    );
    expect(Number(counted?.all_queries)).toBeGreaterThan(1000);
    expect(Number(counted?.strange)).toBe(0);
  });

  describe('of recipients', () => {
    const forms = recipientForms(RANDOM);

    it('is taken without a login only for recipients of the platform', async () => {
      await inSessions(stranger, forms, async (client, { text, hosted }) => {
        await client.command(`MAIL FROM:<${OUTSIDE}>`);
        const { code, text: reply } = await client.command(`RCPT TO:<${text}>`);
        expect({ text, reply, taken: code === 250, refused: code >= 500 }).toEqual({
          text,
          reply,
          taken: hosted,
          refused: !hosted,
        });
      });
    });

    it('is not taken from users for this host, but for recipients of the platform and outside', async () => {
      await inSessions(user, forms, async (client, { text, hosted, local }) => {
        await client.command(`MAIL FROM:<${ALICE}>`);
        const { code, text: reply } = await client.command(`RCPT TO:<${text}>`);
        if (hosted || local) expect({ text, reply, taken: code === 250 }).toEqual({ text, reply, taken: hosted });
      });
      for (const to of [
        OUTSIDE,
        'x@[203.0.113.5]',
        '"a@b"@elsewhere.test',
        'a%b@elsewhere.test',
        'a!b@elsewhere.test',
      ]) {
        const client = await user();
        await client.command(`MAIL FROM:<${ALICE}>`);
        expect([to, (await client.command(`RCPT TO:<${to}>`)).code]).toEqual([to, 250]);
        client.close();
      }
    });

    it('sends no message back to a forged sender', async () => {
      for (const { text } of forms.filter(({ hosted }) => !hosted).slice(0, 40)) {
        expect((await stack.receive({ from: 'carol@beta.test', to: text })).code).toBeGreaterThanOrEqual(500);
      }
      expect(await logged(/status=bounced|qmgr.* from=<>/)).toEqual([]);
      expect(await stack.rig.inbox('carol@beta.test')).toEqual([]);
    });
  });
});
