import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeStack } from './testing/describe-stack.js';
import { addAlias, addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const SRS_DOMAIN = 'srs.rig.test';
const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
/** Aliases of alice. One message to all of them is many deliveries at once. */
const NAMES = Array.from({ length: 20 }, (_, index) => `name${index}@acme.test`);

/** The copies that alice and bob store of one message to these recipients. */
const CASES: [what: string, alice: number, bob: number, ...recipients: string[]][] = [
  ['a mailbox, three times', 1, 0, ALICE, ALICE, ALICE],
  ['two aliases', 1, 1, 'one@acme.test', 'two@acme.test'],
  ['an alias and the mailbox', 1, 0, 'one@acme.test', ALICE],
  [
    'the mailbox, two aliases and another destination of one of them',
    1,
    1,
    ALICE,
    'one@acme.test',
    'two@acme.test',
    BOB,
  ],
  ['twenty aliases', 1, 0, ...NAMES],
  ['two addresses of a catch-all, and its mailbox', 1, 0, 'x@caught.test', 'y@caught.test', ALICE],
  ['aliases in two domains of the partner', 1, 0, 'one@acme.test', 'sales@other.test', 'any@caught.test'],
  ['any letter case', 1, 0, 'ALICE@Acme.Test', 'One@ACME.test', ALICE],
  ['a mailbox and its subaddress, which are two recipients', 2, 0, ALICE, 'alice+tag@acme.test'],
  ['one subaddress by the mailbox and by an alias', 1, 0, 'alice+tag@acme.test', 'ONE+TAG@acme.test'],
  ['one recipient', 1, 0, 'one@acme.test'],
];

describeStack('a message to several addresses of a mailbox', () => {
  describe.each([['without forwarding'], ['with forwarding']])('on mail servers %s', (kind) => {
    let stack: WholeStack<PolicyStandIn>;
    const tables: SrsStandIn[] = [];

    beforeAll(async () => {
      if (kind === 'with forwarding') {
        tables.push(await SrsStandIn.start(SRS_DOMAIN, 'forward'), await SrsStandIn.start(SRS_DOMAIN, 'reverse'));
      }
      const [senders, recipients] = tables;
      const forwarding = { srsDomain: SRS_DOMAIN, senderMap: senders?.table, recipientMap: recipients?.table };
      stack = await WholeStack.start(
        tables.length === 0 ? {} : { environment: { ALLOW_EXTERNAL_FORWARD: 'true' }, settings: { forwarding } },
      );
      for (const domain of ['caught.test', 'other.test']) await addDomain(stack.acme, domain);
      await addMailboxes(stack.acme, 'writer@acme.test');
      for (const alias of ['one@acme.test', '@caught.test', 'sales@other.test', ...NAMES]) {
        await addAlias(stack.acme, alias, ALICE);
      }
      await addAlias(stack.acme, 'two@acme.test', ALICE, BOB);
    });
    afterAll(async () => {
      await stack?.stop();
      await Promise.all(tables.map((table) => table.stop()));
    });

    const copies = async (mailbox: string, subject: string): Promise<number> =>
      (await stack.rig.inbox(mailbox)).filter((each) => each === subject).length;
    const delivered = async (): Promise<void> => {
      await until('the queue to be empty', async () => (await stack.rig.queue()).length === 0);
    };
    /** The lines of Dovecot's log by which the transfer of this message is counted. */
    const storedLines = async (id: string): Promise<number> =>
      (await stack.rig.logs())
        .split('\n')
        .filter((line) => line.includes(`msgid=<${id}>`) && /(saved mail to|stored mail into mailbox) /.test(line))
        .length;
    /** Sends a message by both ways in. @returns what each mailbox stored, and what is counted as transfer. */
    async function stored(way: string, subject: string, to: string[]): Promise<unknown[]> {
      const id = `${subject.replaceAll(/\W+/g, '-')}@elsewhere.test`;
      const message = { to, subject, headers: [`Message-ID: <${id}>`] };
      const reply = await (way === 'port 25'
        ? stack.receive(message)
        : stack.submit('writer@acme.test', { ...message, from: 'writer@acme.test' }));
      expect(reply).toMatchObject({ code: 250 });
      await delivered();
      return [await copies(ALICE, subject), await copies(BOB, subject), await storedLines(id)];
    }

    it.each([['port 25'], ['submission']])('is stored in it once: %s', async (way) => {
      const found: unknown[] = [];
      for (const [what, , , ...to] of CASES) found.push([what, ...(await stored(way, `${way}: ${what}`, to))]);
      expect(found).toEqual(CASES.map(([what, alice, bob]) => [what, alice, bob, alice + bob]));
    });

    it('is another message when it is sent again', async () => {
      const to = ['one@acme.test', ALICE];
      expect(await stored('port 25', 'again', to)).toEqual([1, 0, 1]);
      expect(await stored('port 25', 'again', to)).toEqual([2, 0, 2]);
    });

    it('leaves a record without another address, and a message to one recipient leaves none', async () => {
      const record = async (mailbox: string): Promise<string> => {
        const home = (await stack.rig.doveadm('user', '-f', 'home', mailbox)).trim();
        return await readFile(join(home, '.dovecot.lda-dupes'), 'latin1').catch(() => '');
      };
      await stored('port 25', 'a record', [ALICE, 'one@acme.test']);
      const kept = await record(ALICE);
      expect(kept).not.toBe('');
      expect(kept.replaceAll(ALICE, '').match(/\.test|elsewhere|127\.0\.0/)).toBeNull();
      await stack.receive({ to: 'carol@beta.test', subject: 'no record' });
      await stack.rig.arrival('carol@beta.test', 'no record');
      expect(await record('carol@beta.test')).toBe('');
    });

    it('is stored once for recipients that request notices of their own', async () => {
      const client = await stack.rig.submission();
      await client.login('writer@acme.test', PASSWORD);
      await client.command('MAIL FROM:<writer@acme.test>');
      await client.command(`RCPT TO:<${ALICE}> NOTIFY=NEVER`);
      await client.command('RCPT TO:<one@acme.test> NOTIFY=FAILURE ORCPT=rfc822;one@acme.test');
      await client.command('DATA');
      expect((await client.command('From: <writer@acme.test>\r\nSubject: noted\r\n\r\nHello\r\n.')).code).toBe(250);
      client.close();
      await delivered();
      expect(await copies(ALICE, 'noted')).toBe(1);
    });

    it('leaves the address of the mailbox in each copy, and each address in the log of the mail servers', async () => {
      await stored('port 25', 'originals', ['one@acme.test', ALICE, 'x@caught.test', BOB]);
      const fields = await stack.rig.doveadm(
        'fetch',
        '-u',
        ALICE,
        'hdr.delivered-to',
        'header',
        'subject',
        'originals',
      );
      expect(fields).toContain(ALICE);
      const log = await stack.rig.logs();
      for (const address of ['one@acme.test', 'x@caught.test']) {
        expect(log).toMatch(new RegExp(`to=<alice@acme\\.test>, orig_to=<${address}>,.* status=sent`));
      }
    });

    it('is stored once when its copies waited in the queue', async () => {
      await stack.acme.put('/domains/acme.test/suspend');
      expect(await stack.receive({ to: ['sales@other.test', 'x@caught.test'], subject: 'waited' })).toMatchObject({
        code: 250,
      });
      await stack.rig.deferral(ALICE, 'suspended');
      await stack.acme.put('/domains/acme.test/activate');
      await stack.rig.retryQueue();
      await delivered();
      expect(await copies(ALICE, 'waited')).toBe(1);
    });

    it('is stored once when no copy fitted at first', async () => {
      const full = 'full@acme.test';
      const body = 'x'.repeat(70).concat('\n').repeat(8_500);
      await stack.acme.post('/users/', { email: full, password: PASSWORD, quota_mb: 1 });
      for (const alias of ['f1@acme.test', 'f2@acme.test']) await addAlias(stack.acme, alias, full);
      await stack.receive({ to: full, subject: 'first', body });
      await stack.rig.arrival(full, 'first');
      await stack.receive({ to: ['f1@acme.test', 'f2@acme.test'], subject: 'fits later', body });
      await until('both copies to be deferred', async () => {
        const waiting = (await stack.rig.queue()).filter(({ queue_name }) => queue_name === 'deferred');
        const reasons = waiting.flatMap(({ recipients }) => recipients.map(({ delay_reason = '' }) => delay_reason));
        return reasons.length === 2 && reasons.every((reason) => reason.includes('452'));
      });
      await stack.acme.put(`/users/${full}/quota`, { quota_mb: 4 });
      await stack.rig.retryQueue();
      await delivered();
      expect(await copies(full, 'fits later')).toBe(1);
    });

    it('is stored once when it is a notice of Postfix to a sender that is an alias', async () => {
      const client = await stack.rig.submission();
      await client.login(ALICE, PASSWORD);
      const notices = { ret: 'HDRS', notify: 'SUCCESS,FAILURE' } as const;
      await client.send({ from: 'one@acme.test', to: [BOB, 'two@acme.test', OUTSIDE], subject: 'noticed', notices });
      client.close();
      await delivered();
      const titles = (await stack.rig.inbox(ALICE)).filter((subject) => /Successful/.test(subject));
      expect(titles).toHaveLength(1);
    });
  });
});
