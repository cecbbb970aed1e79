import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MilterClient } from './milter/testing/milter-client.js';
import type { MailServer } from './testing/mail-server.js';
import { PolicydWorld } from './testing/policyd-world.js';
import { PostfixClient } from './testing/postfix-client.js';

const DOMAIN = 'edges.example';
const LOGIN = `anna@${DOMAIN}`;
const COLLEAGUE = `colleague@${DOMAIN}`;
const OUTSIDE = 'one@out.example';

describe('the policy daemon in unusual cases', () => {
  let world: PolicydWorld;
  let mta: MailServer;
  let api: Server | null = null;

  const sent = async () => (await world.outbound(DOMAIN)).sent_today;
  const limit = (daily_limit: number | null) =>
    world.mailstead.PUT('/domains/{domain_name}/outbound', {
      params: { path: { domain_name: DOMAIN } },
      body: { daily_limit },
    });
  const restart = async (environment: Record<string, string> = {}) => {
    await world.restartPolicyd('SIGTERM', environment);
    mta = await world.mailServer();
  };

  beforeAll(async () => {
    world = await PolicydWorld.start();
    await world.addDomain(DOMAIN, { outbound_tier: 'unlimited' });
    for (const email of [LOGIN, COLLEAGUE]) await world.addMailbox(email);
    await world.addList(`list@${DOMAIN}`, 50);
    await world.startPolicyd();
  });
  beforeEach(async () => {
    await limit(null);
    await restart();
  });
  afterEach(() => {
    api?.close();
    api?.closeAllConnections();
    api = null;
  });
  afterAll(() => world.stop());

  /** Starts a proxy to the API that drops the first responses to increments, after the API has counted them. */
  async function startLosingProxy(answers: number): Promise<string> {
    let lost = 0;
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' };
      const answer = await fetch(`${world.url}${request.url}`, {
        method: 'POST',
        headers,
        body: Buffer.concat(chunks),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (request.url === '/outbound/increments' && lost < answers) {
        lost += 1;
        response.destroy();
      } else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    };
    api = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1');
    await new Promise((resolve) => api?.once('listening', resolve));
    return `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  }

  it('defers a message that the API refuses to read, such as one of the former release, and lets it pass when another API is there', async () => {
    const refuse = JSON.stringify({ status: 422, code: 'validation_failed', detail: 'unknown field', title: 'x' });
    api = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(422, { 'content-type': 'application/problem+json' }).end(refuse);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => api?.once('listening', resolve));
    const former = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    await restart({ MAILSTEAD_URL: former, POLICY_FAIL: 'open' });
    const before = await sent();
    const mail = { login: LOGIN, recipients: [OUTSIDE] };
    expect(await mta.end(mail)).toMatch(/^451 4\.3\.5 /);
    await restart({ POLICY_FAIL: 'open' });
    expect(await sent()).toBe(before);
    expect(await mta.end(mail)).toBeNull();
    expect(await sent()).toBe(before + 1);
  });

  it('counts a message once when the API’s response was lost, and accepts it', async () => {
    await restart({ MAILSTEAD_URL: await startLosingProxy(1) });
    const before = await sent();
    expect(await mta.end({ login: LOGIN, recipients: [OUTSIDE, COLLEAGUE] })).toBeNull();
    expect(await sent()).toBe(before + 1);
  });

  it('defers a message when both responses are lost, and counts it once, also when it is repeated after a crash and at the limit', async () => {
    await restart({ MAILSTEAD_URL: await startLosingProxy(2) });
    const before = await sent();
    const mail = { login: LOGIN, recipients: [OUTSIDE] };
    expect((await mta.send(mail)).reply).toMatch(/^451 /);
    expect(await sent()).toBe(before + 1);
    await world.restartPolicyd('SIGKILL');
    mta = await world.mailServer();
    await limit(before + 1);
    expect(await mta.send(mail)).toEqual({ recipients: ['DUNNO'], reply: null });
    expect(await sent()).toBe(before + 1);
    expect((await mta.send(mail)).recipients[0]).toMatch(/^450 /);
  });

  it('does not count a refused recipient: the same message to a colleague passes', async () => {
    await mta.send({ login: LOGIN, recipients: [OUTSIDE] });
    const full = await sent();
    await limit(full);
    // The daemon remembers for 2 s that there was no limit.
    await restart();
    const { recipients, reply } = await mta.send({ login: LOGIN, recipients: [OUTSIDE, COLLEAGUE] });
    expect(recipients).toEqual([expect.stringMatching(/^450 /), 'DUNNO']);
    expect(reply).toBeNull();
    expect(await sent()).toBe(full);
  });

  it('defers an alias that counts as more than the headroom, and counts nothing', async () => {
    const before = await sent();
    await limit(before + 1);
    const { recipients, reply } = await mta.send({ login: LOGIN, recipients: [`list@${DOMAIN}`] });
    expect(recipients[0]).toMatch(/^450 4\.7\.1 list@edges\.example stands for 50 recipients/);
    expect(reply).toBeUndefined();
    expect(await mta.end({ login: LOGIN, recipients: [`LIST+tag@${DOMAIN}`] })).toMatch(/^4|^5/);
    expect(await sent()).toBe(before);
  });

  it('accepts as many recipients of a message as the headroom covers, each with the number that it counts as, and a repeated one as nothing', async () => {
    const before = await sent();
    await limit(before + 52);
    const list = `list@${DOMAIN}`;
    const to = [OUTSIDE, list, COLLEAGUE, list, 'two@out.example', 'three@out.example'];
    const { recipients, reply } = await mta.send({ login: LOGIN, recipients: to });
    expect(recipients.map((action) => action.slice(0, 3))).toEqual(['DUN', 'DUN', 'DUN', 'DUN', 'DUN', '450']);
    expect(reply).toBeNull();
    expect(await sent()).toBe(before + 52);
  });

  it('counts the destinations that an alias had at RCPT, although they were removed before the end of the message', async () => {
    const before = await sent();
    const address = `brief@${DOMAIN}`;
    await world.addList(address, 5);
    const { reply } = await mta.send({ login: LOGIN, recipients: [address] }, () =>
      world.mailstead.DELETE('/aliases/{alias}', { params: { path: { alias: address } } }),
    );
    expect(reply).toBeNull();
    expect(await sent()).toBe(before + 5);
  });

  it('counts the whole message after a restart between RCPT and its end', async () => {
    const before = await sent();
    expect(await mta.rcpt(LOGIN, OUTSIDE, 'cut in two')).toBe('DUNNO');
    await restart();
    expect(await mta.end({ login: LOGIN, recipients: [OUTSIDE, 'two@out.example'] })).toBeNull();
    expect(await sent()).toBe(before + 2);
  });

  it('accepts no more messages than the limit when many arrive at the same time', async () => {
    const before = await sent();
    await limit(before + 7);
    const servers = await Promise.all(Array.from({ length: 20 }, () => world.mailServer()));
    const replies = await Promise.all(
      servers.map((server, index) =>
        server.end({ login: LOGIN, recipients: [OUTSIDE, ...(index % 2 === 0 ? ['two@out.example'] : [])] }),
      ),
    );
    const passed = replies.reduce((sum, reply, index) => sum + (reply === null ? (index % 2 === 0 ? 2 : 1) : 0), 0);
    expect(await sent()).toBe(before + passed);
    expect(passed).toBe(7);
  });

  it('counts another message that has a reused queue id', async () => {
    const before = await sent();
    for (const recipient of [OUTSIDE, 'two@out.example']) {
      const milter = await MilterClient.open({ port: world.milterPort });
      const headers = [['From', LOGIN]] as const;
      expect(
        (await milter.send({ login: LOGIN, headers, recipients: [recipient], queueId: 'SHORT' })).reply,
      ).toBeNull();
      milter.close();
    }
    expect(await sent()).toBe(before + 2);
  });

  it('counts forwarded mail in a separate counter, and defers it at the limit', async () => {
    const name = 'forwarding.example';
    await world.addDomain(name);
    await world.addList(`list@${name}`, 3);
    await world.addMailbox(`box@${name}`);
    await world.mailstead.PUT('/domains/{domain_name}/outbound', {
      params: { path: { domain_name: name } },
      body: { daily_limit: 4 },
    });
    const stranger = (...recipients: string[]) => mta.send({ login: null, recipients });
    const usual = [`box@${name}`, 'x@not-ours.example'];
    expect(await stranger(...usual)).toEqual({ recipients: ['DUNNO', 'DUNNO'], reply: null });
    expect(await world.outbound(name)).toMatchObject({ forwarded_today: 0, sent_today: 0 });
    expect(await stranger(`list@${name}`, `box@${name}`)).toMatchObject({ reply: null });
    expect(await world.outbound(name)).toMatchObject({ forwarded_today: 3, sent_today: 0, bytes_this_month: 0 });
    const { recipients, reply } = await stranger(`list@${name}`, `box@${name}`);
    expect(recipients).toEqual([expect.stringMatching(/^450 4\.7\.1 list@forwarding\.example stands for 3/), 'DUNNO']);
    expect(reply).toBeNull();
    expect(await mta.end({ login: null, recipients: [`list@${name}`] })).toMatch(/^450 4\.7\.1 .* forwarded mail/);
    expect(await world.outbound(name)).toMatchObject({ forwarded_today: 3, sent_today: 0 });
  });

  it('does not let mail pass when the API refuses the request, for instance because of a wrong token', async () => {
    await restart({ POLICY_FAIL: 'open', POLICY_TOKEN: 'w'.repeat(32) });
    expect((await mta.send({ login: LOGIN, recipients: [OUTSIDE] })).recipients[0]).toMatch(/^451 /);
    expect(await mta.end({ login: LOGIN, recipients: [OUTSIDE] })).toMatch(/^451 /);
  });

  it('never lets an invalid value affect other requests or avoid the verdict', async () => {
    await restart({ POLICY_FAIL: 'open' });
    const odd = ['\u0001', 'ü'.repeat(300), 'x'.repeat(5_000), '@', '\ud83d\ude00', ' ', '"', '\\', '"\\"@'];
    const common = { protocol_state: 'RCPT', sasl_username: LOGIN };
    const ask = async (attributes: Record<string, string>) => {
      const client = await PostfixClient.connect({ port: world.policyPort });
      const action = await client.ask({ ...common, ...attributes });
      client.close();
      return action;
    };
    const looks = odd.map((value) => ask({ recipient: `x@${value}`, instance: value, policy_context: value }));
    const logins = odd.map((value) => ask({ recipient: OUTSIDE, sasl_username: `${value}@${DOMAIN}` }));
    const well = Array.from({ length: 20 }, () => ask({ recipient: 'x@out.example' }));
    const recipients = odd.flatMap((value) => [`x@${value}`, `${value}@${DOMAIN}`, value]);
    const ends = [mta.end({ login: LOGIN, recipients }), mta.end({ login: null, recipients })];
    expect(new Set(await Promise.all(well))).toEqual(new Set(['DUNNO']));
    for (const answer of await Promise.all([...looks, ...logins])) expect(answer).toMatch(/^(DUNNO|5\d\d )/);
    expect(await Promise.all(ends)).toEqual([null, null]);
    const many = Array.from({ length: 1_001 }, (_, index) => `r${index}@out.example`);
    expect(await mta.end({ login: LOGIN, recipients: many })).toMatch(/^452 /);
  });

  it('counts the messages of a batch that is larger than one request may be', async () => {
    const before = await sent();
    const servers = await Promise.all(Array.from({ length: 20 }, () => world.mailServer()));
    const recipients = Array.from({ length: 1_000 }, (_, index) => `${'long-'.repeat(40)}${index}@out.example`);
    const replies = await Promise.all(servers.map((server) => server.end({ login: LOGIN, recipients })));
    expect(new Set(replies)).toEqual(new Set([null]));
    expect(await sent()).toBe(before + 20_000);
  });

  it('counts the messages of the journal also with POLICY_FAIL=closed, and with any other content in its file', async () => {
    const folder = join(world.folder, 'left');
    const passed = (id: string, fields: object) =>
      JSON.stringify({ domain: DOMAIN, bytes: 10, sender: LOGIN, id, at: Date.now(), ...fields });
    await mkdir(folder, { recursive: true });
    const lines = [
      passed('mx:p1', { count: 3, recipients: [OUTSIDE] }),
      passed('mx:p2', { count: 'many', recipients: [OUTSIDE] }),
      passed('mx:p4', { count: 3 }),
      '{"cut',
      passed('mx:p3', { recipients: [OUTSIDE, COLLEAGUE, 'two@out.example'] }),
    ];
    await writeFile(join(folder, 'accepted.jsonl'), lines.join('\n'));
    const before = await sent();
    await restart({ POLICY_FAIL: 'closed', POLICYD_DATA_DIR: folder });
    await world.policyd.until(async () => (await sent()) === before + 5);
    await world.policyd.said('cannot be counted');
  });
});
