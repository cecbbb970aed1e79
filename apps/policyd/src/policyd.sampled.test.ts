import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { ApiInProcess } from '@mailstead/api/testing/api-in-process';
import { createPostJson } from '@mailstead/client/post-json';
import { Child } from '@mailstead/core/testing/child';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { readTraceparent } from '@mailstead/core/trace';
import { ApiTransferReporter } from './delivery-meter/api-transfer-reporter.js';
import { readDelivery } from './delivery-meter/delivered-message.js';
import type { MailServer } from './testing/mail-server.js';
import { PolicydWorld } from './testing/policyd-world.js';
import { PostfixClient } from './testing/postfix-client.js';

const DOMAIN = 'acme.example';
const LOGIN = `alice@${DOMAIN}`;
const OUTSIDE = 'a@elsewhere.example';
const MANY = sampleSize(50, 20);

let world: PolicydWorld<ApiInProcess>;
/** Stands before the API, for the policy daemon. Stopped, it refuses connections like an API that was killed. */
let front: TcpBalancer;
let mta: MailServer;

const setOutbound = (domain_name: string, body: object) =>
  world.mailstead.PUT('/domains/{domain_name}/outbound', { params: { path: { domain_name } }, body });
const sent = async () => (await world.outbound(DOMAIN)).sent_today;
const send = (recipients: readonly string[] = [OUTSIDE], login = LOGIN) => mta.send({ login, recipients });
/** What the sender is told about a message: at RCPT, or at its end within 2 s after a preview. */
const told = async (recipients: readonly string[] = [OUTSIDE], login = LOGIN) => {
  const submission = await send(recipients, login);
  return submission.reply ?? submission.recipients[0];
};

beforeAll(async () => {
  world = await PolicydWorld.startWithApiInProcess();
  for (const name of [DOMAIN, 'beta.example', 'blocked.example']) {
    await world.addDomain(name, { outbound_tier: 'unlimited' });
  }
  for (const email of [LOGIN, 'a@beta.example', 'bob@beta.example', 'a@blocked.example']) await world.addMailbox(email);
  await setOutbound('blocked.example', { outbound_status: 'blocked' });
  front = await TcpBalancer.start([world.apiPort], 'backup');
  await world.startPolicyd({ MAILSTEAD_URL: `http://127.0.0.1:${front.port}` });
});
beforeEach(async () => {
  mta = await world.mailServer();
});
afterEach(() => world.closeServers());
afterAll(async () => {
  await world.stop();
  await front.stop();
});

describe('the policy daemon', () => {
  it('replies DUNNO at other stages, and counts nothing there', async () => {
    const before = await sent();
    for (const protocol_state of ['DATA', 'END-OF-MESSAGE', 'END-OF-MESSAGE']) {
      expect(await mta.policy.ask({ protocol_state, sasl_username: LOGIN, recipient_count: 3, size: 9 })).toBe('DUNNO');
    }
    expect(await sent()).toBe(before);
  });

  it('previews recipients without counting, and counts the outside recipients at the end of the message', async () => {
    const before = await world.outbound(DOMAIN);
    const recipients = [OUTSIDE, 'b@elsewhere.example', 'bob@beta.example'];
    const body = 'x'.repeat(1_000);
    const { reply } = await mta.send({ login: LOGIN, recipients, body }, async () =>
      expect(await world.outbound(DOMAIN)).toMatchObject({ sent_today: before.sent_today }),
    );
    expect(reply).toBeNull();
    const size = `From: ${LOGIN}\r\n\r\n${body}`.length;
    expect(await world.outbound(DOMAIN)).toMatchObject({
      sent_today: before.sent_today + 2,
      bytes_this_month: before.bytes_this_month + 2 * size,
    });
    expect((await send(['bob@beta.example'])).reply).toBeNull();
    expect(await sent()).toBe(before.sent_today + 2);
    const { data } = await world.mailstead.GET('/domains/{domain_name}/outbound/senders', {
      params: { path: { domain_name: DOMAIN } },
    });
    expect(data).toMatchObject([{ sender: LOGIN }]);
  });

  it('counts nothing of five messages with a forged From', async () => {
    const before = await sent();
    for (let forged = 0; forged < 5; forged += 1) {
      const { reply } = await mta.send({ login: LOGIN, recipients: [OUTSIDE], from: 'bob@beta.example' });
      expect(reply).toMatch(/^550 5\.7\.1 You may not send as/);
    }
    expect(await sent()).toBe(before);
    const from = `info@${DOMAIN}`;
    await world.mailstead.POST('/aliases/', { body: { address: from, destination: LOGIN } });
    expect((await mta.send({ login: LOGIN, recipients: [OUTSIDE], from })).reply).toBeNull();
    expect(await sent()).toBe(before + 1);
  });

  it('refuses messages that may never leave, and defers those that may leave later, with a text for the sender', async () => {
    const look = (login: string, recipient = OUTSIDE) => told([recipient], login);
    expect(await look('a@absent.example')).toMatch(/^550 5\.7\.1 absent\.example is not a domain/);
    expect(await look('a@blocked.example')).toMatch(/^550 5\.7\.1 Sending for blocked\.example is blocked/);
    const path = { params: { path: { domain_name: 'beta.example' } } };
    await world.mailstead.PUT('/domains/{domain_name}/suspend', path);
    expect(await look('a@beta.example')).toMatch(/^450 4\.7\.1 Sending for beta\.example is suspended/);
    expect(await look('a@beta.example', LOGIN)).toMatch(/^450 4\.7\.1/);
    await world.mailstead.PUT('/domains/{domain_name}/activate', path);
    expect(await look('a@beta.example')).toBe('DUNNO');
    await setOutbound('beta.example', { outbound_status: 'blocked' });
    expect(await look('a@beta.example')).toMatch(/^550 5\.7\.1 Sending for beta\.example is blocked/);
    expect(await look('a@beta.example', LOGIN)).toBe('DUNNO');
    await setOutbound('beta.example', { outbound_status: 'active', daily_limit: 4 });
    // Without a request at RCPT, the verdict at the end of the message decides.
    const end = (count: number) =>
      mta.end({
        login: 'a@beta.example',
        recipients: Array.from({ length: count }, (_, index) => `r${index}@out.example`),
      });
    expect(await end(5)).toMatch(/^550 5\.7\.1 The message has more recipients/);
    expect(await end(3)).toBeNull();
    expect(await end(1)).toMatch(/^450 4\.7\.1 beta\.example has reached its daily/);
    expect(await look('a@beta.example')).toMatch(/^450 4\.7\.1 beta\.example has reached its daily/);
    await setOutbound('beta.example', { daily_limit: null });
  });

  it('asks once in 2 s about the recipients of many messages, and counts each message', async () => {
    const [before, counted] = [await world.asked(), await sent()];
    const begun = performance.now();
    for (let message = 0; message < MANY; message += 1) expect((await send()).reply).toBeNull();
    const after = await world.asked();
    expect(after.increments - before.increments).toBe(MANY);
    // The first one, and one after each 2 s.
    expect(after.looks - before.looks).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begun) / 2_000));
    expect(await sent()).toBe(counted + MANY);
  });

  it('ends a session that began before the password was changed, at the recipient and at the end of a message', async () => {
    const login = `carol@${DOMAIN}`;
    await world.addMailbox(login);
    const [first, second, other] = [await world.mailServer(), await world.mailServer(), mta];
    for (const each of [first, second, other]) await each.keepSession();
    const path = { params: { path: { email: login } } };
    const setPassword = (password: string) => world.mailstead.PUT('/users/{email}', { ...path, body: { password } });
    const message = { login, recipients: [OUTSIDE] };
    const reply = '421 4.7.0 Log in again [session_ended]';
    const before = await sent();
    expect(await first.send(message)).toEqual({ recipients: ['DUNNO'], reply: null });
    // The same password takes nothing away.
    await setPassword('correct horse battery');
    expect(await first.send(message)).toMatchObject({ reply: null });
    expect(await second.send(message, () => setPassword('staple battery horse'))).toMatchObject({ reply });
    expect(await first.send(message)).toEqual({ recipients: [reply], reply: undefined });
    expect(await first.end(message)).toBe(reply);
    expect(await other.send({ login: LOGIN, recipients: [OUTSIDE] })).toMatchObject({ reply: null });
    const renewed = await world.mailServer();
    await renewed.keepSession();
    expect(await renewed.send(message)).toMatchObject({ reply: null });
    expect(await sent()).toBe(before + 4);
  });

  it('tells a suspension at the end of the next message at the latest, then at RCPT, and counts nothing', async () => {
    const name = 'stopped.example';
    const login = `a@${name}`;
    await world.addDomain(name, { outbound_tier: 'unlimited' });
    await world.addMailbox(login);
    expect(await told([OUTSIDE], login)).toBe('DUNNO');
    const path = { params: { path: { domain_name: name } } };
    await world.mailstead.PUT('/domains/{domain_name}/suspend', path);
    expect(await told([OUTSIDE], login)).toMatch(/^450 4\.7\.1 Sending for stopped\.example is suspended/);
    expect((await send([OUTSIDE], login)).recipients[0]).toMatch(/^450 4\.7\.1 Sending for stopped/);
    await world.mailstead.PUT('/domains/{domain_name}/activate', path);
    expect(await told([OUTSIDE], login)).toBe('DUNNO');
    expect(await world.outbound(name)).toMatchObject({ sent_today: 2 });
  });

  it('defers a whole message at its end when its domain was suspended after its first recipient, and the next message at RCPT', async () => {
    const name = 'late.example';
    const login = `a@${name}`;
    await world.addDomain(name, { outbound_tier: 'unlimited' });
    await world.addMailbox(login);
    const path = { params: { path: { domain_name: name } } };
    const suspend = () => world.mailstead.PUT('/domains/{domain_name}/suspend', path);
    expect(await mta.rcpt(login, OUTSIDE, 'late')).toBe('DUNNO');
    await suspend();
    expect(await mta.rcpt(login, 'b@other.example', 'late')).toBe('DUNNO');
    expect(await mta.rcpt(login, login, 'late')).toMatch(/^450 4\.7\.1 Sending for late\.example is suspended/);
    const reply = await mta.end({ login, recipients: [OUTSIDE, 'b@other.example'] });
    expect(reply).toMatch(/^450 4\.7\.1 Sending for late\.example is suspended/);
    expect(await mta.rcpt(login, 'b@other.example', 'next')).toMatch(/^450 4\.7\.1/);
    expect(await world.outbound(name)).toMatchObject({ sent_today: 0 });
  });

  it('continues after invalid bytes, endless lines and very many connections', async () => {
    const postfix = () => PostfixClient.connect({ port: world.policyPort });
    const [half, garbage, endless] = [await postfix(), await postfix(), await postfix()];
    half.write('request=smtpd_access_policy\nprotocol_state=');
    garbage.write('GET / HTTP/1.1\n\n');
    endless.write('a'.repeat(100_000));
    await Promise.all([garbage.closed(), endless.closed()]);
    const many = await Promise.all(Array.from({ length: sampleSize(2_000, 200) }, postfix));
    const rcpt = { protocol_state: 'RCPT', sasl_username: LOGIN, recipient: OUTSIDE };
    const answers = await Promise.all(many.map((client, index) => client.ask({ ...rcpt, instance: `c${index}` })));
    expect(new Set(answers)).toEqual(new Set(['DUNNO']));
    expect(half.isClosed).toBe(false);
    for (const client of [half, ...many]) client.close();
  });

  it('defers mail while the API is unavailable, and accepts it when the API is available again', async () => {
    await front.stop();
    expect(await told()).toMatch(/^451 4\.3\.5 /);
    expect((await send()).recipients[0]).toMatch(/^451 4\.3\.5 /);
    expect(await mta.end({ login: LOGIN, recipients: [OUTSIDE] })).toMatch(/^451 4\./);
    await front.startAgain();
    await world.policyd.until(async () => (await send()).reply === null);
  });

  it('lists every invalid setting and exits with 1', async () => {
    const child = new Child('policyd', {
      MAILSTEAD_URL: 'x',
      POLICY_TOKEN: 'short',
      POLICY_FAIL: 'maybe',
      POLICY_LISTEN: 'y',
      MILTER_LISTEN: 'off',
    });
    expect(await child.exit()).toBe(1);
    for (const name of ['MAILSTEAD_URL', 'POLICY_TOKEN', 'POLICY_FAIL', 'POLICY_LISTEN', 'MILTER_LISTEN'])
      expect(child.output).toContain(name);
    expect(child.output).not.toContain('short');
  });

  it.each(sampled(['POLICY_LISTEN', 'MILTER_LISTEN', 'LOGINS_LISTEN', 'METRICS_LISTEN'], 1))(
    'names %s and exits with 1 when another program has its address',
    async (setting) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      try {
        const child = new Child('policyd', {
          MAILSTEAD_URL: 'http://127.0.0.1:1',
          POLICY_TOKEN: 'a-token-of-the-policy-daemon',
          POLICY_LISTEN: '127.0.0.1:0',
          MILTER_LISTEN: '127.0.0.1:0',
          LOGINS_LISTEN: 'off',
          [setting]: `127.0.0.1:${(other.address() as AddressInfo).port}`,
        });
        expect(await child.exit()).toBe(1);
        expect(child.output).toContain(`${setting}: cannot listen (listen EADDRINUSE`);
      } finally {
        other.close();
      }
    },
  );
});

describe('the trace of a decision of the policy daemon', () => {
  type Line = Record<string, unknown>;
  const linesOf = (output: string, message: string): Line[] =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.message === message);

  it('is sent with each request to the API, a new one each time, and is in the line of the recipient or message that it refused', async () => {
    await world.addDomain('traced.example', { outbound_tier: 'unlimited' });
    await world.addMailbox('a@traced.example');
    const [apiSaid, daemonSaid] = [world.api.output.length, world.policyd.output.length];
    const tracesOf = (path: string) =>
      linesOf(world.api.output.slice(apiSaid), 'request')
        .filter((line) => line.path === path)
        .map(({ trace_id }) => trace_id);
    const objections = () => linesOf(world.policyd.output.slice(daemonSaid), 'objected');
    expect((await send([OUTSIDE], 'a@traced.example')).reply).toBeNull();
    const { recipients } = await send([OUTSIDE], 'a@never.example');
    expect(recipients[0]).toMatch(/^550/);
    const { reply } = await mta.send({ login: 'a@traced.example', recipients: [OUTSIDE], from: 'b@traced.example' });
    expect(reply).toMatch(/^550/);

    await world.api.until(async () => tracesOf('/outbound/increments').length === 2);
    await world.policyd.until(async () => objections().length === 2);
    const looks = tracesOf('/outbound/looks');
    const counts = tracesOf('/outbound/increments');
    const all = [...looks, ...counts];
    expect(all.map((traceId) => readTraceparent(`00-${String(traceId)}-00f067aa0ba902b7-00`))).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
    const [refusedRecipient, refusedMessage] = objections();
    expect(looks).toContain(refusedRecipient?.trace_id);
    expect(refusedMessage?.trace_id).toBe(counts[1]);
  });

  it('is in the line that says that the API did not answer', async () => {
    const said = world.policyd.output.length;
    const lines = () => linesOf(world.policyd.output.slice(said), 'the API did not answer the question');
    await front.stop();
    expect((await send([OUTSIDE], 'a@silent.example')).recipients[0]).toMatch(/^451/);
    await world.policyd.until(async () => lines().length > 0);
    expect(lines()[0]?.trace_id).toMatch(/^[0-9a-f]{32}$/);
    await front.startAgain();
  });
});

describe('a report of inbound bytes to the API', () => {
  const bytes = async () => (await world.outbound('inbound.example')).bytes_this_month;
  const delivery = (session: string, domain: string, size: number) => {
    const found = readDelivery(
      `Nov 21 07:07:20 lmtp(a@${domain})<75><${session}>: Info: msgid=<1@b.test>, size=${size}, saved mail to INBOX`,
    );
    if (found === null) throw new Error('The line is no delivery.');
    return found;
  };
  let reporter: ApiTransferReporter;

  beforeAll(async () => {
    reporter = new ApiTransferReporter(world.post);
    await world.addDomain('inbound.example');
  });

  it('counts each delivery once when it is reported several times, and ignores deliveries to a deleted domain', async () => {
    const batch = [
      delivery('one', 'inbound.example', 500),
      delivery('two', 'gone.test', 70),
      delivery('three', 'inbound.example', 40),
    ];
    await reporter.report(batch);
    expect(await bytes()).toBe(540);
    await reporter.report([...batch, delivery('four', 'inbound.example', 1)]);
    expect(await bytes()).toBe(541);
  });

  it('may contain a thousand deliveries', async () => {
    const before = await bytes();
    await reporter.report(Array.from({ length: 1_000 }, (_, index) => delivery(`many${index}`, 'inbound.example', 2)));
    expect(await bytes()).toBe(before + 2_000);
  });

  it('fails when the API rejects it', async () => {
    const post = createPostJson({ url: 'http://127.0.0.1:1', token: 'x', timeoutMs: 10_000 });
    const stranger = new ApiTransferReporter(post);
    await expect(stranger.report([delivery('five', 'inbound.example', 1)])).rejects.toThrow('ECONNREFUSED');
  });
});
