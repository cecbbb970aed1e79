import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type MailsteadClient } from '@mailstead/client';
import { Child, freePort } from '@mailstead/core/testing/child';
import { PostfixClient } from './testing/postfix-client.js';

const MASTER = 'master-token-of-the-policy-edges-0123456789';
const POLICY = 'policy-token-of-the-policy-edges-0123456789';
const DOMAIN = 'edges.example';
const LOGIN = `anna@${DOMAIN}`;

describe('the policy daemon where messages go unusual ways', () => {
  let folder: string;
  let apiPort: number;
  let port: number;
  let api: Child;
  let policyd: Child;
  let client: PostfixClient;
  let mailstead: MailsteadClient;
  let messages = 0;
  const path = { params: { path: { domain_name: DOMAIN } } };

  async function startPolicyd(environment: Record<string, string> = {}): Promise<void> {
    policyd = new Child('policyd', {
      MAILSTEAD_URL: `http://127.0.0.1:${apiPort}`,
      POLICY_TOKEN: POLICY,
      POLICY_LISTEN: `127.0.0.1:${port}`,
      MILTER_LISTEN: 'off',
      POLICYD_DATA_DIR: join(folder, 'policyd'),
      ...environment,
    });
    await policyd.said('listening');
    client = await PostfixClient.connect({ port });
  }

  /** What Postfix asks about one message, stage by stage. */
  function aMessage() {
    messages += 1;
    const common = { sasl_username: LOGIN, instance: `edge-${messages}`, policy_context: 'mx', size: 1_000 };
    return {
      rcpt: (recipient: string, queueId: string) =>
        client.ask({ ...common, protocol_state: 'RCPT', recipient, recipient_count: 0, queue_id: queueId }),
      end: (count: number) =>
        client.ask({
          ...common,
          protocol_state: 'END-OF-MESSAGE',
          recipient: '',
          recipient_count: count,
          queue_id: '4X',
        }),
    };
  }

  const sent = async () => (await mailstead.GET('/domains/{domain_name}/outbound', path)).data?.sent_today ?? 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'policyd-edges-'));
    [apiPort, port] = [await freePort(), await freePort()];
    api = new Child('api', {
      PORT: String(apiPort),
      DATA_DIR: join(folder, 'api'),
      MASTER_TOKEN: MASTER,
      OPERATOR_TOKENS: `policyd:policy:${POLICY}`,
      BCRYPT_COST: '4',
      SANDBOX_VERIFY_AFTER: '0',
    });
    const url = `http://127.0.0.1:${apiPort}`;
    await api.until(async () => (await fetch(`${url}/health`)).ok);
    mailstead = createClient({ url, token: MASTER });
    await mailstead.POST('/domains/', { body: { name: DOMAIN } });
    await mailstead.GET('/domains/{domain_name}/relay-status', path);
    await mailstead.PUT('/domains/{domain_name}/inbound', { ...path, body: { inbound: 'open' } });
  });
  beforeEach(async () => {
    await mailstead.PUT('/domains/{domain_name}/outbound', {
      ...path,
      body: { outbound_tier: 'unlimited', daily_limit: null },
    });
    await startPolicyd();
  });
  afterEach(async () => {
    client.close();
    await policyd.end('SIGKILL');
  });
  afterAll(async () => {
    await api.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('accepts a message again whose answer Postfix did not get, with a recipient on the platform too', async () => {
    const before = await sent();
    const message = aMessage();
    await message.rcpt('one@out.example', '');
    await message.rcpt(`colleague@${DOMAIN}`, '4X');
    expect(await message.end(2)).toBe('DUNNO');
    expect(await message.end(2)).toBe('DUNNO');
    expect(await sent()).toBe(before + 1);
  });

  it('accepts it from the daemon after a restart as well, which knows its recipients no more', async () => {
    const before = await sent();
    const message = aMessage();
    await message.rcpt('one@out.example', '');
    await message.rcpt(`colleague@${DOMAIN}`, '4X');
    expect(await message.end(2)).toBe('DUNNO');
    await policyd.end('SIGKILL');
    await startPolicyd();
    expect(await message.end(2)).toBe('DUNNO');
    expect(await sent()).toBe(before + 1);
  });

  it('counts no recipient that it refused: the mail to a colleague beside it passes', async () => {
    expect(await aMessage().end(1)).toBe('DUNNO');
    const full = await sent();
    await mailstead.PUT('/domains/{domain_name}/outbound', {
      ...path,
      body: { outbound_tier: 'unlimited', daily_limit: full },
    });
    const message = aMessage();
    expect(await message.rcpt('one@out.example', '')).toMatch(/^450 /);
    expect(await message.rcpt(`colleague@${DOMAIN}`, '')).toBe('DUNNO');
    expect(await message.end(1)).toBe('DUNNO');
    expect(await sent()).toBe(full);
  });

  it('counts all recipients of a message that a restart cut in two, never fewer than leave', async () => {
    const before = await sent();
    const message = aMessage();
    await message.rcpt('one@out.example', '');
    await policyd.end('SIGTERM');
    await startPolicyd();
    await message.rcpt('two@out.example', '4X');
    expect(await message.end(2)).toBe('DUNNO');
    expect(await sent()).toBe(before + 2);
  });

  it('does not open for an API that answers and refuses, as with a wrong token', async () => {
    await policyd.end('SIGTERM');
    await startPolicyd({ POLICY_FAIL: 'open', POLICY_TOKEN: 'w'.repeat(32) });
    expect(await aMessage().rcpt('one@out.example', '')).toMatch(/^451 /);
    expect(await aMessage().end(1)).toMatch(/^451 /);
  });

  it('never lets an odd value spoil the requests of others, nor open the way for itself', async () => {
    await policyd.end('SIGTERM');
    await startPolicyd({ POLICY_FAIL: 'open' });
    const odd = ['\u0001', 'ü'.repeat(300), 'x'.repeat(5_000), '@', '\ud83d\ude00', ' '];
    const clients = await Promise.all(odd.map(() => PostfixClient.connect({ port })));
    const others = await Promise.all(Array.from({ length: 20 }, () => PostfixClient.connect({ port })));
    const common = { sasl_username: LOGIN, recipient_count: 1, size: 1, queue_id: '' };
    const named = (index: number) => ({ instance: odd[index] ?? '', policy_context: odd[index] ?? '' });
    const looks = clients.map((each, index) =>
      each.ask({ ...common, ...named(index), protocol_state: 'RCPT', recipient: `x@${odd[index]}` }),
    );
    const well = others.map((each, index) =>
      each.ask({ ...common, protocol_state: 'RCPT', recipient: 'x@out.example', instance: `well-${index}` }),
    );
    expect(new Set(await Promise.all(well))).toEqual(new Set(['DUNNO']));
    for (const answer of await Promise.all(looks)) expect(answer).toMatch(/^(DUNNO|5\d\d )/);
    const ends = clients.map((each, index) =>
      each.ask({
        ...common,
        ...named(index),
        protocol_state: 'END-OF-MESSAGE',
        recipient: '',
        sasl_username: index % 2 === 0 ? LOGIN : `${odd[index]}@${DOMAIN}`,
        size: 999_999_999_999,
        recipient_count: 20_000,
      }),
    );
    for (const answer of await Promise.all(ends)) expect(answer).toMatch(/^(DUNNO$|452 |550 )/);
    for (const each of [...clients, ...others]) each.close();
  });

  it('counts what had passed also when it lets nothing pass any more, and whatever else stands in its file', async () => {
    await policyd.end('SIGKILL');
    const passed = (id: string, count: unknown) =>
      JSON.stringify({ domain: DOMAIN, count, bytes: 10, sender: LOGIN, id, at: Date.now() });
    await mkdir(join(folder, 'policyd'), { recursive: true });
    const lines = [passed('mx:p1', 3), passed('mx:p2', 'many'), '{"cut', passed('mx:p3', 4)];
    await writeFile(join(folder, 'policyd', 'accepted.jsonl'), lines.join('\n'));
    const before = await sent();
    await startPolicyd({ POLICY_FAIL: 'closed' });
    await policyd.until(async () => (await sent()) === before + 7);
    await policyd.said('cannot be counted');
  });
});
