import fc from '../../../scripts/fast-check.mjs';
import { describeWith } from '../../../scripts/needed-programs.mjs';
import { withoutAddedFields } from './testing/added-fields.js';
import { describeStack } from './testing/describe-stack.js';
import { chunksOf, inParallel } from './testing/in-parallel.js';
import { type ReadSenders, readByDovecot, readByMailparser, readByPython } from './testing/mail-readers.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { PASSWORD } from './testing/platform.js';
import { senderForms } from './testing/sender-forms.js';
import type { SmtpClient, SmtpReply } from './testing/smtp-client.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const CAROL = 'carol@beta.test';
/** For each of two mailboxes. */
const MESSAGES = 300;
const A_SESSION = 25;
const LANES = 6;
const SHOWN = 5;
/** The folder of Bob in which the test stores what the relays received. */
const RELAYED = 'Relayed';

const describePython = await describeWith('Python');

describePython('the senders of submitted mail,', () => {
  describeStack('as Python, mailparser and Dovecot read it,', () => {
    let stack: WholeStack<MailsteadProcess>;
    /** The login of each accepted message, by its queue id. */
    const logins = new Map<string, string>();

    // Alice's mail leaves by a relay of the kind `ses`, and Carol's by another one: Postfix sends their headers
    // differently.
    beforeAll(async () => {
      stack = await WholeStack.startWithDaemon({ defaultRelay: 'ses' });
      const { services, relays } = stack.rig;
      const { port } = relays[1].settings;
      await services.database.query(`INSERT INTO mta_relay_host VALUES ('beta.test', '[localhost]:${port}')`);
      for (const name of ['acme.test', 'beta.test'])
        await stack.platform.master.put(`/domains/${name}/outbound`, { outbound_tier: 'unlimited' });
    });

    afterAll(async () => {
      await stack?.stop();
    });

    /** Sends a message by the command BDAT (RFC 3030), whose lines Postfix reads by other code than those of DATA. */
    async function sendAsChunk(client: SmtpClient, login: string, text: string): Promise<SmtpReply> {
      for (const command of [`MAIL FROM:<${login}>`, `RCPT TO:<${BOB}>`, `RCPT TO:<${OUTSIDE}>`])
        expect(await client.command(command)).toMatchObject({ code: 250 });
      return await client.command(`BDAT ${text.length + 2} LAST\r\n${text}`);
    }

    /** Sends messages in sessions. Fails on a temporary reply. */
    async function submit(login: string, texts: readonly string[]): Promise<void> {
      await inParallel(chunksOf(texts, A_SESSION), LANES, async (chunk) => {
        const client = await stack.rig.submission();
        await client.login(login, PASSWORD);
        for (const [index, text] of chunk.entries()) {
          const reply =
            index % 2 === 0
              ? (await client.send({ from: login, to: [BOB, OUTSIDE], text })).reply
              : await sendAsChunk(client, login, text);
          const queueId = /queued as (\w+)$/.exec(reply.text)?.[1];
          if (queueId !== undefined) logins.set(queueId, login);
          else expect({ text, code: reply.code, reply: reply.text }).toMatchObject({ text, code: 550 });
        }
        await client.quit();
      });
    }

    /** Returns the messages that the relays received and, in the second list, those that Bob received. */
    async function copies(): Promise<{ relayed: string[]; delivered: string[] }> {
      await until('the queue to be empty', async () => (await stack.rig.queue()).length === 0);
      const relayed = stack.rig.relays.flatMap(({ messages }) => messages.map(({ text }) => text));
      const imap = await stack.rig.imap();
      await imap.login(BOB, PASSWORD);
      await imap.command('SELECT INBOX');
      const { lines } = await imap.command('FETCH 1:* BODY.PEEK[]');
      const delivered = lines.flatMap((line) => /\{\d+\}\r\n(.*)\)$/s.exec(line)?.[1] ?? []);
      await imap.command(`CREATE ${RELAYED}`);
      for (const text of relayed) expect(await imap.append(RELAYED, text)).toMatchObject({ ok: true });
      await imap.logout();
      return { relayed, delivered };
    }

    /** Returns the messages in which a reader sees another sender than the login, or not one From field. */
    function falseSenders(texts: readonly string[], read: Record<string, readonly ReadSenders[]>): unknown[] {
      return texts.flatMap((text, index) => {
        const queueId = /by mx\.rig\.test \(Postfix\) with ESMTPSA id (\w+)/.exec(text)?.[1] ?? '';
        const login = logins.get(queueId);
        return Object.entries(read).flatMap(([reader, all]) => {
          const senders = all[index];
          // Python's former parser also returns words of a folded name, which are no addresses.
          const addresses = [...(senders?.from ?? []), ...(senders?.others ?? [])].filter((word) => word.includes('@'));
          const isRight =
            senders?.fields === 1 &&
            senders.from.length > 0 &&
            senders.mbox.length === 0 &&
            addresses.every((address) => address.toLowerCase() === login);
          return isRight ? [] : [{ reader, login, senders, text }];
        });
      });
    }

    it('are the login’s own addresses in one From field, whatever the header has', async () => {
      for (const [own, foreign] of [
        [ALICE, CAROL],
        [CAROL, ALICE],
      ] as const) {
        await submit(own, fc.sample(senderForms(own, foreign), MESSAGES));
      }
      const { relayed, delivered } = await copies();
      expect([relayed.length, delivered.length]).toEqual([logins.size, logins.size]);
      // Otherwise nearly everything was refused, and the readers read nothing.
      expect(logins.size).toBeGreaterThan(MESSAGES / 2);
      for (const [texts, folder] of [
        [relayed, RELAYED],
        [delivered, 'INBOX'],
      ] as const) {
        const wrong = falseSenders(texts, {
          python: await readByPython(texts, 'default'),
          'former python': await readByPython(texts, 'compat32'),
          mailparser: await readByMailparser(texts),
          dovecot: await readByDovecot(stack.rig, BOB, folder),
        });
        expect({ folder, count: wrong.length, wrong: wrong.slice(0, SHOWN) }).toEqual({ folder, count: 0, wrong: [] });
      }
    });

    it('are in no line of an mbox file: the line before the header is gone, those of the body stay', async () => {
      const line = `From ${CAROL} Sat Nov 28 10:00:00 2026`;
      const [own, subject, body] = [`From: <${ALICE}>`, 'Subject: an mbox file', [line, 'X-Mailbox-Line: text']];
      const text = [line, own, `x-mailbox-line: ${CAROL}`, subject, '', ...body, ''].join('\r\n');
      expect(await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, text })).toMatchObject({ code: 250 });
      const left = withoutAddedFields((await stack.rig.relays[0].arrival('an mbox file')).text);
      const withoutOurs = left.replaceAll(/^(?:Received|X-SES-\S+): .*\r\n(?:[ \t].*\r\n)*/gm, '');
      expect(withoutOurs).toBe([own, subject, '', ...body, '', ''].join('\r\n'));
    });
  });
});
