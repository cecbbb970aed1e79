import { appendFile } from 'node:fs/promises';
import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import { runProgram } from './testing/run-program.js';
import type { SmtpClient, SmtpReply } from './testing/smtp-client.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const SRS_DOMAIN = 'srs.rig.test';
const MEMBERS = 50;

/** Recipients of one message as a client writes them, and the number of copies that leave. */
const RECIPIENTS: [what: string, copies: number, ...written: string[]][] = [
  ['one recipient ten times', 1, ...Array<string>(10).fill('<x@far.test>')],
  ['one recipient in several letter cases', 1, '<x@far.test>', '<X@FAR.test>', '<x@Far.Test>'],
  ['an outside recipient and its extension', 2, '<x@far.test>', '<x+news@far.test>'],
  ['an alias of two in several letter cases', 2, '<list@copies.test>', '<LIST@copies.test>', '<List@Copies.test>'],
  ['an alias of two and its extension, which Postfix passes on', 4, '<list@copies.test>', '<list+x@copies.test>'],
  [
    'two aliases with a common destination, and that destination',
    5,
    '<list@copies.test>',
    '<team@copies.test>',
    '<two@far.test>',
  ],
  ['two addresses of a catch-all, one of them twice', 2, '<a@copies.test>', '<b@copies.test>', '<A@copies.test>'],
  [
    'one recipient with two original recipients',
    3,
    '<x@far.test> ORCPT=rfc822;a@b.test',
    '<x@far.test> ORCPT=rfc822;c@b.test',
    '<x@far.test>',
    '<x@far.test> ORCPT=RFC822;A@B.test',
  ],
  [
    'one recipient with several kinds of notices',
    2,
    '<x@far.test> NOTIFY=NEVER',
    '<x@far.test> NOTIFY=FAILURE',
    '<x@far.test> notify=never',
  ],
  ['one recipient quoted, and with a source route', 3, '<x@far.test>', '<"x"@far.test>', '<@relay.test:x@far.test>'],
  ['mailboxes', 0, '<user@copies.test>', '<USER@copies.test>', '<user+x@copies.test>'],
];

describeStack('what counts of a submitted message, with the real Postfix', () => {
  let stack: WholeStack<MailsteadProcess>;
  const standIns: SrsStandIn[] = [];

  beforeAll(async () => {
    const srs = await SrsStandIn.start(SRS_DOMAIN, 'forward');
    const reverse = await SrsStandIn.start(SRS_DOMAIN, 'reverse');
    standIns.push(srs, reverse);
    stack = await WholeStack.startWithDaemon({
      environment: { ALLOW_EXTERNAL_FORWARD: 'true' },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: srs.table, recipientMap: reverse.table } },
    });
    // A reply that waits would end the test.
    const directory = configDirectoryOf(stack.rig.settings, 'submission');
    await appendFile(`${directory}/main.cf`, 'smtpd_error_sleep_time = 300s\n');
    await runProgram('postfix', ['-c', directory, 'reload']);
  });
  afterAll(async () => {
    stack?.platform.api.continue();
    await stack?.stop();
    for (const standIn of standIns) await standIn.stop();
  });

  const relayed = (sender: string): number =>
    stack.rig.relays[0].messages.filter(({ from }) => from === sender).reduce((sum, { to }) => sum + to.length, 0);
  const sent = async (domain: string): Promise<number> =>
    Number((await stack.platform.master.get(`/domains/${domain}/outbound`)).sent_today);

  /** Adds a verified domain with a mailbox `user@`. */
  async function aSender(domain: string): Promise<string> {
    await addDomain(stack.acme, domain);
    await addMailboxes(stack.acme, `user@${domain}`);
    await stack.platform.master.put(`/domains/${domain}/outbound`, { outbound_tier: 'unlimited' });
    return `user@${domain}`;
  }
  async function session(user: string): Promise<SmtpClient> {
    const client = await stack.rig.submission();
    expect((await client.login(user, PASSWORD)).code).toBe(235);
    return client;
  }
  /** Sends MAIL and these RCPT commands. @returns the replies to the latter. */
  async function address(client: SmtpClient, user: string, written: readonly string[]): Promise<SmtpReply[]> {
    expect((await client.command(`MAIL FROM:<${user}>`)).code).toBe(250);
    const replies: SmtpReply[] = [];
    for (const recipient of written) replies.push(await client.command(`RCPT TO:${recipient}`));
    return replies;
  }
  async function end(client: SmtpClient, user: string): Promise<SmtpReply> {
    expect((await client.command('DATA')).code).toBe(354);
    return await client.command(`From: <${user}>\r\nSubject: copies\r\n\r\nHello\r\n.`);
  }
  const leaves = async (user: string) =>
    await until('the queue to be empty', async () => (await stack.rig.queue()).every((each) => each.sender !== user));

  it('is each copy that leaves, once, however its recipients are written', async () => {
    const user = await aSender('copies.test');
    await addAlias(stack.acme, 'list@copies.test', 'one@far.test', 'two@far.test');
    await addAlias(stack.acme, 'team@copies.test', 'two@far.test', 'three@far.test', user);
    await addAlias(stack.acme, '@copies.test', 'all@far.test');
    const found: unknown[] = [];
    for (const [what, , ...written] of RECIPIENTS) {
      const before = { counted: await sent('copies.test'), left: relayed(user) };
      const client = await session(user);
      const replies = await address(client, user, written);
      expect(replies.map(({ code }) => code)).toEqual(written.map(() => 250));
      expect((await end(client, user)).code).toBe(250);
      client.close();
      await leaves(user);
      found.push([what, (await sent('copies.test')) - before.counted, relayed(user) - before.left]);
    }
    expect(found).toEqual(RECIPIENTS.map(([what, copies]) => [what, copies, copies]));
  });

  it('is one copy of a recipient that is repeated after 1,000 other ones', async () => {
    const user = await aSender('many.test');
    const members = Array.from({ length: MEMBERS }, (_, index) => `m${index}@far.test`);
    for (const list of ['a', 'b', 'c']) await addAlias(stack.acme, `${list}@many.test`, ...members);
    const lists = ['<a@many.test>', '<b@many.test>', '<c@many.test>'];
    const others = Array.from({ length: 1_000 - 3 * MEMBERS }, (_, index) => `<r${index}@far.test>`);
    const client = await session(user);
    await address(client, user, [...lists, ...others, '<last@far.test>', '<last@far.test>']);
    expect((await end(client, user)).code).toBe(250);
    client.close();
    await leaves(user);
    expect([await sent('many.test'), relayed(user)]).toEqual([1_001, 1_001]);
  });

  it('is nothing of the recipients over the limit, which are all deferred at once, and the session stays usable', async () => {
    const user = await aSender('over.test');
    await stack.acme.put('/domains/over.test/outbound', { daily_limit: 2 });
    const client = await session(user);
    const many = Array.from({ length: 200 }, (_, index) => `<r${index}@far.test>`);
    const first = await address(client, user, many);
    expect(first.map(({ code }) => code)).toEqual([250, 250, ...Array<number>(198).fill(450)]);
    expect((await end(client, user)).code).toBe(250);
    const second = await address(client, user, many);
    expect(new Set(second.map(({ code }) => code))).toEqual(new Set([450]));
    expect((await client.command('RSET')).code).toBe(250);
    await stack.acme.put('/domains/over.test/outbound', { daily_limit: 3 });
    expect((await address(client, user, [`<${OUTSIDE}>`]))[0]?.code).toBe(250);
    expect((await end(client, user)).code).toBe(250);
    client.close();
    await leaves(user);
    expect([await sent('over.test'), relayed(user)]).toEqual([3, 3]);
  });

  it('is one message when the API was stopped at its end, counted it later, and the mail program repeated it', async () => {
    const user = await aSender('stopped.test');
    await stack.acme.put('/domains/stopped.test/outbound', { daily_limit: 3 });
    const to = ['<one@far.test>', '<two@far.test>', '<three@far.test>'];
    const attempt = async () => {
      const clients = await Promise.all(to.map(() => session(user)));
      for (const [index, client] of clients.entries()) {
        expect((await address(client, user, [to[index] ?? '']))[0]?.code).toBe(250);
      }
      return clients;
    };
    const clients = await attempt();
    stack.platform.api.pause();
    const replies = await Promise.all(clients.map((client) => end(client, user)));
    expect(replies.map(({ code }) => code)).toEqual([451, 451, 451]);
    for (const client of clients) client.close();
    expect(relayed(user)).toBe(0);
    stack.platform.api.continue();
    await until('the API to count what it was sent', async () => (await sent('stopped.test')) > 0);
    // The repeats of mail programs, after a restart of the daemon.
    await stack.policy.kill();
    await stack.policy.start();
    for (const client of await attempt()) {
      expect((await end(client, user)).code).toBe(250);
      client.close();
    }
    await leaves(user);
    expect([await sent('stopped.test'), relayed(user)]).toEqual([3, 3]);
    expect((await address(await session(user), user, [`<${OUTSIDE}>`]))[0]?.code).toBe(450);
  });
});
