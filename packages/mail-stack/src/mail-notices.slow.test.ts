import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import { leaks, type Notice, noticesIn } from './testing/notices.js';
import { addAlias, addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { sendmail } from './testing/run-program.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const SRS_DOMAIN = 'srs.rig.test';
/** A mailbox, and the aliases whose destinations it is, or is not. */
const FRED = 'fred@fwd.test';
const LIST = 'list@fwd.test';
const FAR = 'far@fwd.test';
const NOTICES = { ret: 'FULL', notify: 'SUCCESS,FAILURE,DELAY' } as const;

describeStack('a notice that Postfix makes itself, on mail servers that forward,', () => {
  let stack: WholeStack<PolicyStandIn>;
  const tables: SrsStandIn[] = [];
  let number = 0;

  beforeAll(async () => {
    tables.push(await SrsStandIn.start(SRS_DOMAIN, 'forward'), await SrsStandIn.start(SRS_DOMAIN, 'reverse'));
    const [senders, recipients] = tables;
    stack = await WholeStack.start({
      environment: { ALLOW_EXTERNAL_FORWARD: 'true' },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: senders?.table, recipientMap: recipients?.table } },
    });
    await addDomain(stack.acme, 'fwd.test');
    await addMailboxes(stack.acme, FRED, 'zoe@fwd.test');
    const outside = Array.from({ length: 20 }, (_, index) => `reader-${index}@elsewhere.test`);
    await addAlias(stack.acme, LIST, ...outside, 'zoe@fwd.test', FRED);
    await addAlias(stack.acme, FAR, ...outside);
  });

  afterAll(async () => {
    await stack?.stop();
    await Promise.all(tables.map(async (table) => await table.stop()));
  });

  afterEach(async () => {
    expect(leaks(noticesIn(await stack.rig.logs()))).toEqual([]);
    expect(stack.rig.relays.flatMap(({ messages }) => messages).filter(({ from }) => from === '')).toEqual([]);
  });

  /** Waits until the notices that a change caused have left the queue. @returns them. */
  async function noticesOf(change: () => Promise<unknown>): Promise<Notice[]> {
    const before = noticesIn(await stack.rig.logs()).length;
    await change();
    return await until('the notice to leave the queue', async () => {
      const made = noticesIn(await stack.rig.logs()).slice(before);
      return made.length > 0 && made.every(({ removed }) => removed) ? made : null;
    });
  }

  const mx = (): string => configDirectoryOf(stack.rig.settings, 'mx');
  const titles = async (mailbox: string): Promise<string[]> =>
    (await stack.rig.inbox(mailbox)).filter((subject) => /Mail Delivery|Undelivered|Successful/.test(subject));

  /** Sends mail on port 25 to a recipient for which it waits in the queue, and ends its time there. */
  async function bounce(from: string, to: string, body = 'Hello'): Promise<void> {
    expect(await stack.receive({ from, to, body })).toMatchObject({ code: 250 });
    const { queue_id } = await until('the deferral', async () =>
      (await stack.rig.queue()).find(({ queue_name }) => queue_name === 'deferred'),
    );
    await stack.rig.postfixAt(mx(), 'postsuper', '-e', queue_id);
    await stack.rig.retryQueue();
  }

  /** Adds a suspended domain. @returns an alias to its mailbox, for which mail waits in the queue. */
  async function suspended(): Promise<string> {
    number += 1;
    await addDomain(stack.acme, `s${number}.test`);
    await addMailboxes(stack.acme, `sue@s${number}.test`);
    await addAlias(stack.acme, `sue${number}@acme.test`, `sue@s${number}.test`);
    await stack.acme.put(`/domains/s${number}.test/suspend`);
    return `sue${number}@acme.test`;
  }

  it('about a user’s message goes to one login that may use the alias it was sent as', async () => {
    const message = { from: LIST, to: 'alice@acme.test', notices: NOTICES };
    for (let round = 1; round <= 3; round += 1) {
      const made = await noticesOf(async () => expect((await stack.submit(FRED, message)).code).toBe(250));
      expect(made).toHaveLength(1);
      expect(await titles(FRED)).toHaveLength(round);
    }
    expect(await titles('zoe@fwd.test')).toEqual([]);
  });

  it('about a user’s message from an address with an extension goes to the user', async () => {
    const before = (await titles('alice@acme.test')).length;
    const message = { from: 'alice+shop@acme.test', to: 'bob@acme.test', notices: NOTICES };
    await noticesOf(async () => await stack.submit('alice@acme.test', message));
    expect(await titles('alice@acme.test')).toHaveLength(before + 1);
  });

  it('about a message of which the relay gives no report goes to the user', async () => {
    const before = (await titles('bob@acme.test')).length;
    const message = { from: 'bob@acme.test', to: OUTSIDE, notices: NOTICES };
    await noticesOf(async () => await stack.submit('bob@acme.test', message));
    expect(await titles('bob@acme.test')).toHaveLength(before + 1);
  });

  it('cannot be requested on port 25', async () => {
    const client = await stack.rig.stranger();
    expect((await client.command('EHLO client.test')).text).not.toMatch(/^DSN$/m);
    expect(await client.send({ from: LIST, to: 'alice@acme.test', notices: NOTICES })).toMatchObject({
      reply: { code: 501 },
    });
    await client.command('MAIL FROM:<list@fwd.test>');
    expect(await client.command('RCPT TO:<alice@acme.test> NOTIFY=SUCCESS')).toMatchObject({ code: 501 });
    await client.quit();
  });

  it('about a stranger’s message to a suspended mailbox goes to one login of the alias that it names as its sender', async () => {
    const before = (await titles(FRED)).length;
    const alias = await suspended();
    expect(await noticesOf(async () => await bounce(LIST, alias))).toHaveLength(1);
    expect(await titles(FRED)).toHaveLength(before + 1);
    expect(await titles('zoe@fwd.test')).toEqual([]);
  });

  it('about a stranger’s message to a full mailbox goes to nobody when its sender is outside, or an alias to the outside', async () => {
    const full = 'full@acme.test';
    const body = 'x'.repeat(70).concat('\n').repeat(8_500);
    await stack.acme.post('/users/', { email: full, password: PASSWORD, quota_mb: 1 });
    await stack.receive({ to: full, subject: 'first', body });
    await stack.rig.arrival(full, 'first');
    for (const from of [OUTSIDE, FAR, 'nobody@fwd.test', 'root@mx.rig.test', '"a b/c"@elsewhere.test']) {
      const [notice] = await noticesOf(async () => await bounce(from, full, body));
      expect(notice?.fates).toMatchObject([{ status: 'bounced' }]);
    }
  });

  it('waits for a suspended mailbox, and goes to nobody when the domain is closed meanwhile', async () => {
    const before = noticesIn(await stack.rig.logs()).length;
    const alias = await suspended();
    const domain = `s${number}.test`;
    await bounce(`sue@${domain}`, alias);
    const made = await until('the notice to wait', async () => {
      const found = noticesIn(await stack.rig.logs()).slice(before);
      return found.some(({ fates }) => fates.some(({ status }) => status === 'deferred')) ? found : null;
    });
    expect(made).toHaveLength(1);
    await stack.platform.master.put(`/domains/${domain}/inbound`, { inbound: 'pending' });
    await stack.rig.retryQueue();
    await until('the notice to be given up', async () => noticesIn(await stack.rig.logs())[before]?.removed);
  });

  it('is not a bounce of another server, which goes to the outside sender of the forwarded message', async () => {
    const forwarded = `SRS0=hash=day=elsewhere.test=sender@${SRS_DOMAIN}`;
    expect(await stack.receive({ from: '', to: forwarded })).toMatchObject({ code: 250 });
    await until('the bounce to be sent', async () =>
      /postfix\/direct\/smtp.*to=<sender@elsewhere\.test>/.test(await stack.rig.logs()),
    );
  });

  it.each(['-Nsuccess,delay,failure -Rfull', '-v', '-bv'])(
    'that root requests with %s goes to one login',
    async (request) => {
      const before = (await titles(FRED)).length;
      const options = request.split(' ');
      const text = 'Subject: of root\n\nHello\n';
      await noticesOf(async () => await sendmail(mx(), ['bob@acme.test'], text, { from: LIST, options }));
      expect(await titles(FRED)).toHaveLength(before + 1);
    },
  );
});
