import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addMailboxes, PASSWORD } from './testing/platform.js';
import { SmtpClient, type SmtpReply } from './testing/smtp-client.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const NEW_PASSWORD = 'staple battery horse';
const BOB = 'bob@acme.test';
const AT_RCPT = {
  code: 421,
  text: `4.7.0 <${OUTSIDE}>: Recipient address rejected: Log in again [session_ended]`,
};
const AT_END = { code: 421, text: '4.7.0 Log in again [session_ended]' };

describeStack('an open submission session whose login is taken away', () => {
  let stack: WholeStack<MailsteadProcess>;
  let made = 0;
  const opened: SmtpClient[] = [];

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
    await stack.platform.master.put('/domains/acme.test/outbound', { outbound_tier: 'unlimited' });
  });

  afterEach(() => {
    for (const client of opened.splice(0)) client.close();
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const pathOf = (user: string) => `/users/${user}`;
  const change = (user: string, body: object) => stack.acme.put(pathOf(user), body);

  async function newMailbox(): Promise<string> {
    made += 1;
    const user = `user${made}@acme.test`;
    await addMailboxes(stack.acme, user);
    return user;
  }

  async function connect(port: 'submission' | 'submissions'): Promise<SmtpClient> {
    const { ports, certificate } = stack.rig;
    const isTls = port === 'submissions';
    const client = await SmtpClient.connect(ports[port], undefined, isTls ? certificate.cert : null);
    opened.push(client);
    if (!isTls) await client.startTls(certificate.cert);
    return client;
  }

  async function logIn(
    user: string,
    password = PASSWORD,
    port: 'submission' | 'submissions' = 'submission',
  ): Promise<SmtpClient> {
    const client = await connect(port);
    expect(await client.login(user, password)).toMatchObject({ code: 235 });
    return client;
  }

  async function expectSends(client: SmtpClient, user: string, to = OUTSIDE): Promise<void> {
    // Not `client.send`, which needs the session after a refusal.
    expect(await recipient(client, user, to)).toMatchObject({ code: 250 });
    expect(await client.command('DATA')).toMatchObject({ code: 354 });
    expect(await client.command(`From: <${user}>\r\n\r\nHello\r\n.`)).toMatchObject({ code: 250 });
  }

  async function recipient(client: SmtpClient, user: string, to = OUTSIDE): Promise<SmtpReply> {
    expect(await client.command(`MAIL FROM:<${user}>`)).toMatchObject({ code: 250 });
    return client.command(`RCPT TO:<${to}>`);
  }

  async function expectClosed(client: SmtpClient): Promise<void> {
    await expect(client.command('NOOP')).rejects.toThrow(/closed|ECONNRESET/);
  }

  /** The preview of a new session answers other messages of the login for 2 s: then the count ends the old session. */
  async function expectEnded(client: SmtpClient, user: string): Promise<void> {
    const reply = await recipient(client, user);
    if (reply.code === 250) {
      expect(await client.command('DATA')).toMatchObject({ code: 354 });
      expect(await client.command(`From: <${user}>\r\n\r\nHello\r\n.`)).toEqual(AT_END);
    } else expect(reply).toEqual(AT_RCPT);
    await expectClosed(client);
  }

  /** The session of a message that is sent up to its last line. @returns its end */
  async function openMessage(
    user: string,
    to = OUTSIDE,
  ): Promise<{ client: SmtpClient; end: () => Promise<SmtpReply> }> {
    const client = await logIn(user);
    expect(await recipient(client, user, to)).toMatchObject({ code: 250 });
    expect(await client.command('DATA')).toMatchObject({ code: 354 });
    client.write(`From: <${user}>\r\nSubject: of ${user}\r\n\r\nHello\r\n`);
    return { client, end: () => client.command('.') };
  }

  it.each(['submission', 'submissions'] as const)(
    'is ended by the next recipient after a change of password (%s), and a login with the new one sends',
    async (port) => {
      const user = await newMailbox();
      const [old, bystander] = [await logIn(user, PASSWORD, port), await logIn(BOB, PASSWORD, port)];
      await expectSends(old, user);
      await expectSends(bystander, BOB);
      await change(user, { password: NEW_PASSWORD });
      const renewed = await logIn(user, NEW_PASSWORD, port);
      await expectSends(renewed, user);
      await change(user, { name: 'Another name' });
      await expectSends(renewed, user);
      await expectEnded(old, user);
      await expectSends(bystander, BOB);
    },
  );

  it('is told at the recipient when nothing is remembered of the login', async () => {
    const user = await newMailbox();
    const [outside, inside] = [await logIn(user), await logIn(user)];
    await change(user, { password: NEW_PASSWORD });
    expect(await recipient(outside, user)).toEqual(AT_RCPT);
    await expectClosed(outside);
    expect(await recipient(inside, user, BOB)).toMatchObject({ code: 421 });
    await expectClosed(inside);
  });

  it.each([OUTSIDE, BOB])('is ended at the end of a message to %s that it had begun, which nobody gets', async (to) => {
    const user = await newMailbox();
    const { client, end } = await openMessage(user, to);
    await change(user, { password: NEW_PASSWORD });
    expect(await end()).toEqual(AT_END);
    await expectClosed(client);
    const after = await logIn(user, NEW_PASSWORD);
    expect((await after.send({ from: user, to, subject: `after ${user}` })).reply).toMatchObject({ code: 250 });
    if (to === BOB) {
      await stack.rig.arrival(BOB, `after ${user}`);
      expect(await stack.rig.inbox(BOB)).not.toContain(`of ${user}`);
    } else {
      await stack.rig.relays[0].arrival(`after ${user}`);
      expect(stack.rig.relays[0].messages.map(({ text }) => text).join('')).not.toContain(`Subject: of ${user}`);
    }
  });

  it('goes on when the password is the same: set again, or stored as another hash', async () => {
    const user = await newMailbox();
    const client = await logIn(user);
    await change(user, { password: PASSWORD, quota_mb: 5 });
    await expectSends(client, user);
    const other = await newMailbox();
    const { database } = stack.rig.services;
    const [row] = await database.query('SELECT password_hash FROM mailbox WHERE email = ?', [other]);
    await database.query('UPDATE mailbox SET password_hash = ? WHERE email = ?', [row?.password_hash ?? '', user]);
    await expectSends(client, user);
  });

  it('sends nothing while its mailbox is disabled, and is ended when it is enabled again', async () => {
    const user = await newMailbox();
    const [first, second] = [await logIn(user), await logIn(user)];
    const { client: begun, end } = await openMessage(user);
    await change(user, { active: false });
    expect(await end()).toEqual(AT_END);
    await expectClosed(begun);
    expect(await recipient(first, user)).toEqual(AT_RCPT);
    await expectClosed(first);
    await change(user, { active: true });
    expect(await recipient(second, user)).toEqual(AT_RCPT);
    await expectClosed(second);
    await expectSends(await logIn(user), user);
  });

  it('sends nothing when its mailbox is deleted, created again with the same password, or restored', async () => {
    const user = await newMailbox();
    const [recreated, restored] = [await logIn(user), await logIn(user)];
    const { client: begun, end } = await openMessage(user);
    await stack.acme.delete(pathOf(user));
    expect(await end()).toMatchObject({ code: 550 });
    begun.close();
    expect(await recreated.command(`MAIL FROM:<${user}>`)).toMatchObject({ code: 553 });
    await addMailboxes(stack.acme, user);
    expect(await recipient(recreated, user)).toEqual(AT_RCPT);
    await expectClosed(recreated);
    await expectSends(await logIn(user), user);
    await stack.acme.delete(pathOf(user));
    const [deletion] = (await stack.acme.get('/deleted/')) as unknown as { id: string; name: string }[];
    await stack.acme.post(`/deleted/${deletion?.id}/restore`);
    await expectEnded(restored, user);
    await expectSends(await logIn(user), user);
  });

  it('is ended once when it was connected before the change and logs in after it', async () => {
    const user = await newMailbox();
    const client = await connect('submission');
    await change(user, { password: NEW_PASSWORD });
    expect(await client.login(user, NEW_PASSWORD)).toMatchObject({ code: 235 });
    expect(await recipient(client, user)).toEqual(AT_RCPT);
    await expectSends(await logIn(user, NEW_PASSWORD), user);
  });

  it('waits while its domain is suspended, and sends again after the activation', async () => {
    const user = await newMailbox();
    const client = await logIn(user);
    const { end } = await openMessage(user);
    await stack.acme.put('/domains/acme.test/suspend');
    expect(await end()).toMatchObject({ code: 450 });
    expect(await recipient(client, user)).toMatchObject({ code: 450 });
    await stack.acme.put('/domains/acme.test/activate');
    await client.command('RSET');
    await expectSends(client, user);
  });
});
