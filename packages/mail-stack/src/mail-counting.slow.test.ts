import { appendFile } from 'node:fs/promises';
import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, addDomain, addMailboxes, MASTER_TOKEN, PASSWORD } from './testing/platform.js';
import { runProgram } from './testing/run-program.js';
import type { SentMessage, SmtpClient, TestMessage } from './testing/smtp-client.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const SRS_DOMAIN = 'srs.rig.test';
const LIST = 50;

describeStack('counting of submitted and forwarded mail, with the real Postfix and milter', () => {
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
  });
  afterAll(async () => {
    await stack?.stop();
    for (const standIn of standIns) await standIn.stop();
  });

  const outbound = async (domain: string): Promise<Record<string, unknown>> =>
    await stack.platform.master.get(`/domains/${domain}/outbound`);
  const limit = async (domain: string, daily_limit: number) =>
    await stack.acme.put(`/domains/${domain}/outbound`, { daily_limit });
  /** Returns how many requests of the policy daemon the API answered. */
  async function asked(): Promise<{ looks: number; increments: number }> {
    const headers = { authorization: `Bearer ${MASTER_TOKEN}` };
    const text = await (await fetch(`${stack.platform.url}/metrics`, { headers })).text();
    const of = (route: string) =>
      Number(
        new RegExp(`mailstead_requests_total\\{method="POST",route="${route}",status="200"\\} (\\d+)`).exec(
          text,
        )?.[1] ?? 0,
      );
    return { looks: of('/outbound/looks'), increments: of('/outbound/increments') };
  }
  /** Returns the number of recipients of a sender's messages that the relay accepted. */
  const relayed = (sender: string): number =>
    stack.rig.relays[0].messages.filter(({ from }) => from === sender).reduce((sum, { to }) => sum + to.length, 0);
  const queueIsEmptyOf = async (sender: string) =>
    await until('the queue to be empty', async () => (await stack.rig.queue()).every((each) => each.sender !== sender));

  /**
   * Adds a verified domain of acme that is open for inbound mail, with a mailbox `user@` and an alias `list@` of 50
   * outside addresses.
   */
  async function aSender(domain: string): Promise<string> {
    await addDomain(stack.acme, domain);
    await addMailboxes(stack.acme, `user@${domain}`);
    const readers = Array.from({ length: LIST }, (_, index) => `reader-${index}@elsewhere.test`);
    await addAlias(stack.acme, `list@${domain}`, ...readers);
    return `user@${domain}`;
  }
  async function session(user: string): Promise<SmtpClient> {
    const client = await stack.rig.submission();
    expect((await client.login(user, PASSWORD)).code).toBe(235);
    return client;
  }
  async function send(user: string, message: Partial<TestMessage>): Promise<SentMessage> {
    const client = await session(user);
    const sent = await client.send({ from: user, to: OUTSIDE, ...message });
    await client.quit();
    return sent;
  }

  it('an alias of 50 outside destinations is deferred when the headroom is one, and nothing leaves', async () => {
    const user = await aSender('listed.test');
    await limit('listed.test', 1);
    for (const list of [
      'list@listed.test',
      'LIST+news@Listed.Test',
      '"list"@listed.test',
      '@relay.test:list@listed.test',
    ]) {
      const { reply } = await send(user, { to: list });
      expect(reply.code).toBe(450);
      expect(reply.text).toContain('stands for 50 recipients');
    }
    // The policy service does not see this alias, but the milter does.
    const { reply } = await send(user, { to: 'list%listed.test@[127.0.0.1]' });
    expect(reply.code).toBeGreaterThanOrEqual(400);
    await queueIsEmptyOf(user);
    expect(relayed(user)).toBe(0);
    expect(await outbound('listed.test')).toMatchObject({ sent_today: 0 });
    await limit('listed.test', 55);
    expect(
      (await send(user, { to: ['list@listed.test', OUTSIDE, 'alice@acme.test', 'list@listed.test'] })).recipients,
    ).toMatchObject([{ code: 250 }, { code: 250 }, { code: 250 }, { code: 250 }]);
    await until('the list to be relayed', async () => relayed(user) === LIST + 1);
    expect(await outbound('listed.test')).toMatchObject({ sent_today: LIST + 1 });
  });

  it('an accepted message is counted by a frame with the rendered files: the API counts the request and logs none', async () => {
    const user = await aSender('framed.test');
    const before = await asked();
    expect((await send(user, {})).reply.code).toBe(250);
    expect((await asked()).increments).toBe(before.increments + 1);
    const accepted = /"path":"\/outbound\/increments".*"verdicts":\{"accept":\d+\}/;
    expect((await stack.platform.api.log()).split('\n').filter((line) => accepted.test(line))).toEqual([]);
  });

  it('a complete message counts its received bytes for each outside recipient, and a catch-all counts as its destinations', async () => {
    const user = await aSender('sized.test');
    await addAlias(stack.acme, '@sized.test', 'one@elsewhere.test', 'two@elsewhere.test');
    const complete = ['Date: Mon, 2 Nov 2026 10:00:00 +0000', 'Message-ID: <sized@sized.test>'];
    const fields = [`From: <${user}>`, ...complete, 'Subject: folded', ' and long', 'X-Empty:'];
    const text = [...fields, '', '.dot', 'Grüße', ''].join('\r\n');
    const bytes = Buffer.from(text, 'latin1').toString('latin1');
    expect((await send(user, { to: ['anybody@sized.test', OUTSIDE, user], text: bytes })).reply.code).toBe(250);
    expect(await outbound('sized.test')).toMatchObject({
      sent_today: 3,
      bytes_this_month: 3 * (Buffer.byteLength(bytes, 'latin1') + 2),
    });
    await until('it to be relayed', async () => relayed(user) === 3);
  });

  it('a refused, too large, aborted or reset message is not counted', async () => {
    const user = await aSender('refused.test');
    for (let forged = 0; forged < 5; forged += 1) {
      expect((await send(user, { headerFrom: 'carol@beta.test' })).reply.code).toBe(550);
    }
    const directory = configDirectoryOf(stack.rig.settings, 'submission');
    await appendFile(
      `${directory}/main.cf`,
      'message_size_limit = 100000\nheader_checks = regexp:{{/^X-Refuse:/ REJECT}}\n',
    );
    await runProgram('postfix', ['-c', directory, 'reload']);
    await until(
      'the header check to refuse',
      async () => (await send(user, { headers: ['X-Refuse: yes'] })).reply.code === 550,
    );
    expect((await send(user, { body: `${'x'.repeat(900)}\n`.repeat(150) })).reply.code).toBe(552);
    const reset = await session(user);
    for (const command of [`MAIL FROM:<${user}>`, `RCPT TO:<${OUTSIDE}>`, 'RSET']) {
      expect((await reset.command(command)).code).toBe(250);
    }
    await reset.quit();
    const broken = await session(user);
    for (const command of [`MAIL FROM:<${user}>`, `RCPT TO:<${OUTSIDE}>`, 'DATA']) await broken.command(command);
    broken.write(`From: <${user}>\r\n\r\nhalf of it`);
    broken.close();
    expect((await send(user, { subject: 'the only one' })).reply.code).toBe(250);
    await stack.rig.relays[0].arrival('the only one');
    expect(await outbound('refused.test')).toMatchObject({ sent_today: 1 });
    expect(relayed(user)).toBe(1);
  });

  it('simultaneous messages are accepted exactly up to the limit', async () => {
    const user = await aSender('crowded.test');
    await limit('crowded.test', 7);
    const to = [OUTSIDE, 'second@elsewhere.test'];
    const clients = await Promise.all(Array.from({ length: 10 }, async () => await session(user)));
    for (const client of clients) {
      await client.command(`MAIL FROM:<${user}>`);
      for (const each of to) expect((await client.command(`RCPT TO:<${each}>`)).code).toBe(250);
      await client.command('DATA');
    }
    const replies = await Promise.all(
      clients.map(async (client) => await client.command(`From: <${user}>\r\n\r\nHello\r\n.`)),
    );
    for (const client of clients) client.close();
    expect(replies.map(({ code }) => code).sort((left, right) => left - right)).toEqual([
      ...Array(3).fill(250),
      ...Array(7).fill(450),
    ]);
    await until('what was accepted to be relayed', async () => relayed(user) === 6);
    expect(await outbound('crowded.test')).toMatchObject({ sent_today: 6 });
  });

  it('twenty recipients in twenty domains outside the platform are one preview and one count, also beside one on the platform', async () => {
    const user = await aSender('many.test');
    const to = Array.from({ length: 20 }, (_, index) => `reader@far-${index}.test`);
    const before = await asked();
    expect((await send(user, { to })).reply.code).toBe(250);
    const single = await asked();
    expect([single.looks - before.looks, single.increments - before.increments]).toEqual([1, 1]);
    expect((await send(user, { to: [...to, 'alice@acme.test'] })).reply.code).toBe(250);
    const mixed = await asked();
    expect([mixed.looks - single.looks, mixed.increments - single.increments]).toEqual([2, 1]);
    expect(await outbound('many.test')).toMatchObject({ sent_today: 40 });
    await limit('many.test', 59);
    const { recipients, reply } = await send(user, { to });
    expect(recipients.map(({ code }) => code)).toEqual([...Array(19).fill(250), 450]);
    expect(recipients[19]?.text).toContain('reader@far-19.test does not fit into the sending limit: 0 more for now');
    expect(reply.code).toBe(250);
    expect(await outbound('many.test')).toMatchObject({ sent_today: 59 });
    await queueIsEmptyOf(user);
  });

  it('messages in a row need one preview in 2 s and one count each, and a suspension between two is told at the end of the next one', async () => {
    const user = await aSender('row.test');
    const before = await asked();
    const begun = performance.now();
    const client = await session(user);
    for (let message = 0; message < 10; message += 1) {
      expect((await client.send({ from: user, to: OUTSIDE })).reply.code).toBe(250);
    }
    const after = await asked();
    expect(after.increments - before.increments).toBe(10);
    // The first one, and one after each 2 s.
    expect(after.looks - before.looks).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begun) / 2_000));
    await stack.acme.put('/domains/row.test/suspend');
    for (let message = 0; message < 2; message += 1) {
      const { reply } = await client.send({ from: user, to: OUTSIDE });
      expect(reply).toMatchObject({ code: 450, text: expect.stringContaining('suspended') });
    }
    await client.quit();
    expect(await outbound('row.test')).toMatchObject({ sent_today: 10 });
    await queueIsEmptyOf(user);
    expect(relayed(user)).toBe(10);
  });

  it('an alias that loses its destinations during a message counts as at RCPT', async () => {
    const user = await aSender('emptied.test');
    const client = await session(user);
    for (const command of [`MAIL FROM:<${user}>`, 'RCPT TO:<list@emptied.test>', 'DATA']) await client.command(command);
    await stack.acme.delete('/aliases/list@emptied.test');
    expect((await client.command(`From: <${user}>\r\n\r\nHello\r\n.`)).code).toBe(250);
    await client.quit();
    await queueIsEmptyOf(user);
    expect((await outbound('emptied.test')).sent_today).toBe(LIST);
    expect(relayed(user)).toBeLessThanOrEqual(LIST);
  });

  it('forwarded mail counts in a separate counter, is deferred at the limit, and never leaves by a relay', async () => {
    const user = await aSender('forwarding.test');
    await limit('forwarding.test', LIST + 9);
    const connections = stack.rig.relays.map((relay) => relay.messages.length);
    expect((await stack.receive({ to: [user], subject: 'not forwarded' })).code).toBe(250);
    await stack.rig.arrival(user, 'not forwarded');
    expect(await outbound('forwarding.test')).toMatchObject({ forwarded_today: 0 });
    expect((await stack.receive({ to: 'list@forwarding.test' })).code).toBe(250);
    const counted = { forwarded_today: LIST, sent_today: 0, sent_this_month: 0, bounces: 0 };
    expect(await outbound('forwarding.test')).toMatchObject(counted);
    const again = await stack.receive({ to: 'list@forwarding.test' });
    expect(again).toMatchObject({ code: 450, text: expect.stringContaining('stands for 50 recipients') });
    expect(await outbound('forwarding.test')).toMatchObject(counted);
    expect((await send(user, { subject: 'still sends' })).reply.code).toBe(250);
    await stack.rig.relays[0].arrival('still sends');
    expect(stack.rig.relays.map((relay) => relay.messages.length)).toEqual([(connections[0] ?? 0) + 1, connections[1]]);
    expect(await outbound('forwarding.test')).toMatchObject({ forwarded_today: LIST, sent_today: 1 });
  });
});
