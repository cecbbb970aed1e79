import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type MailsteadClient } from '@mailstead/client';
import { Child, freePort } from '@mailstead/core/testing/child';
import { MilterClient } from './milter/testing/milter-client.js';
import { PostfixClient } from './testing/postfix-client.js';

const MASTER = 'master-token-of-the-policy-tests-0123456789';
const POLICY = 'policy-token-of-the-policy-tests-0123456789';
const LOGIN = 'alice@acme.example';

let folder: string;
let apiEnvironment: Record<string, string>;
let api: Child;
let mailstead: MailsteadClient;
let policyd: Child;
let port: number;
const clients: PostfixClient[] = [];

async function startApi(): Promise<Child> {
  const child = new Child('api', apiEnvironment);
  await child.until(async () => (await fetch(`http://127.0.0.1:${apiEnvironment.PORT}/health`)).ok);
  return child;
}

async function startPolicyd(environment: Record<string, string> = {}): Promise<Child> {
  const child = new Child('policyd', {
    MAILSTEAD_URL: `http://127.0.0.1:${apiEnvironment.PORT}`,
    POLICY_TOKEN: POLICY,
    POLICY_LISTEN: `127.0.0.1:${port},unix:${folder}/policy.sock`,
    MILTER_LISTEN: 'off',
    POLICY_MTA: 'mx-1',
    POLICYD_DATA_DIR: join(folder, 'policyd'),
    ...environment,
  });
  await child.said('listening');
  return child;
}

async function postfix(address: { port: number } | { path: string } = { port }): Promise<PostfixClient> {
  const client = await PostfixClient.connect(address);
  clients.push(client);
  return client;
}

const rcpt = (recipient: string, instance: string, login = LOGIN) => ({
  protocol_state: 'RCPT',
  sasl_username: login,
  recipient,
  instance,
  recipient_count: 0,
  size: 0,
});
const end = (instance: string, count = 1, size = 1_000, login = LOGIN) => ({
  protocol_state: 'END-OF-MESSAGE',
  sasl_username: login,
  recipient: '',
  instance,
  recipient_count: count,
  size,
});

async function outbound() {
  const { data } = await mailstead.GET('/domains/{domain_name}/outbound', {
    params: { path: { domain_name: 'acme.example' } },
  });
  return data;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policyd-test-'));
  apiEnvironment = {
    PORT: String(await freePort()),
    DATA_DIR: join(folder, 'api'),
    MASTER_TOKEN: MASTER,
    OPERATOR_TOKENS: `policyd:policy:${POLICY}`,
    BCRYPT_COST: '4',
    SANDBOX_VERIFY_AFTER: '0',
  };
  port = await freePort();
  api = await startApi();
  mailstead = createClient({ url: `http://127.0.0.1:${apiEnvironment.PORT}`, token: MASTER });
  for (const name of ['acme.example', 'beta.example', 'blocked.example']) {
    await mailstead.POST('/domains/', { body: { name } });
  }
  for (const domain_name of ['acme.example', 'beta.example']) {
    await mailstead.GET('/domains/{domain_name}/relay-status', { params: { path: { domain_name } } });
  }
  await mailstead.PUT('/outbound/tiers/{tier}', {
    params: { path: { tier: 'basic' } },
    body: { daily_limit: 0, monthly_limit: 0 },
  });
  await mailstead.PUT('/domains/{domain_name}/outbound', {
    params: { path: { domain_name: 'blocked.example' } },
    body: { outbound_status: 'blocked' },
  });
  policyd = await startPolicyd();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await policyd.end('SIGKILL');
  await api.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

describe('the policy daemon', () => {
  it('has nothing to say to mail that nobody logged in for, nor to other stages', async () => {
    const client = await postfix();
    expect(await client.ask({ ...rcpt('a@elsewhere.example', 'p1'), sasl_username: '' })).toBe('DUNNO');
    expect(await client.ask({ ...rcpt('a@elsewhere.example', 'p1'), protocol_state: 'DATA' })).toBe('DUNNO');
  });

  it('looks at recipients without counting, and counts those outside the platform at the end, once', async () => {
    const before = await outbound();
    const client = await postfix({ path: `${folder}/policy.sock` });
    for (const recipient of ['a@elsewhere.example', 'b@elsewhere.example', 'bob@beta.example']) {
      expect(await client.ask(rcpt(recipient, 'm1'))).toBe('DUNNO');
    }
    expect(await outbound()).toMatchObject({ sent_today: before?.sent_today });
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect(await client.ask(end('m1', repeat === 0 ? 3 : 2))).toBe('DUNNO');
    expect(await outbound()).toMatchObject({
      sent_today: (before?.sent_today ?? 0) + 2,
      bytes_this_month: (before?.bytes_this_month ?? 0) + 2_000,
    });
    for (const recipient of ['bob@beta.example']) expect(await client.ask(rcpt(recipient, 'm2'))).toBe('DUNNO');
    expect(await client.ask(end('m2', 1))).toBe('DUNNO');
    expect(await outbound()).toMatchObject({ sent_today: (before?.sent_today ?? 0) + 2 });
    const { data } = await mailstead.GET('/domains/{domain_name}/outbound/senders', {
      params: { path: { domain_name: 'acme.example' } },
    });
    expect(data).toMatchObject([{ sender: LOGIN }]);
  });

  it('refuses for good what may never leave, and puts off what may later, in words for the sender', async () => {
    const client = await postfix();
    const look = (login: string) => client.ask(rcpt('a@elsewhere.example', 'm3', login));
    expect(await look('a@absent.example')).toMatch(/^550 5\.7\.1 absent\.example is not a domain/);
    expect(await look('a@blocked.example')).toMatch(/^550 5\.7\.1 Sending for blocked\.example is blocked/);
    const path = { params: { path: { domain_name: 'beta.example' } } };
    await mailstead.PUT('/domains/{domain_name}/suspend', path);
    expect(await look('a@beta.example')).toMatch(/^450 4\.7\.1 Sending for beta\.example is suspended/);
    expect(await client.ask(rcpt('b@acme.example', 'm3', 'a@beta.example'))).toMatch(/^450 4\.7\.1/);
    await mailstead.PUT('/domains/{domain_name}/activate', path);
    expect(await look('a@beta.example')).toBe('DUNNO');
    await mailstead.PUT('/domains/{domain_name}/outbound', { ...path, body: { outbound_status: 'blocked' } });
    expect(await look('a@beta.example')).toMatch(/^550 5\.7\.1 Sending for beta\.example is blocked/);
    await mailstead.PUT('/domains/{domain_name}/outbound', {
      ...path,
      body: { outbound_status: 'active', daily_limit: 2 },
    });
    expect(await client.ask(end('m4', 3, 10, 'a@beta.example'))).toMatch(
      /^550 5\.7\.1 The message has more recipients/,
    );
    expect(await client.ask(end('m5', 2, 10, 'a@beta.example'))).toBe('DUNNO');
    expect(await look('a@beta.example')).toMatch(/^450 4\.7\.1 beta\.example has reached its daily/);
    expect(await client.ask(end('m6', 1, 10, 'a@beta.example'))).toMatch(/^450 4\.7\.1/);
  });

  it('is not hurt by garbage, endless lines and thousands of connections', async () => {
    const half = await postfix();
    half.write('request=smtpd_access_policy\nprotocol_state=');
    const garbage = await postfix();
    garbage.write('GET / HTTP/1.1\n\n');
    const endless = await postfix();
    endless.write('a'.repeat(100_000));
    await Promise.all([garbage.closed(), endless.closed()]);
    const many = await Promise.all(Array.from({ length: 2_000 }, () => postfix()));
    const answers = await Promise.all(
      many.map((client, index) => client.ask(rcpt('a@elsewhere.example', `c${index}`))),
    );
    expect(new Set(answers)).toEqual(new Set(['DUNNO']));
    expect(half.isClosed).toBe(false);
  });

  it('puts mail off while the API is away, and goes on when it is back', async () => {
    const client = await postfix();
    await api.end('SIGKILL');
    expect(await client.ask(rcpt('a@elsewhere.example', 'm7'))).toMatch(/^451 4\.3\.5 /);
    expect(await client.ask(end('m7'))).toMatch(/^451 4\.3\.5 /);
    api = await startApi();
    await policyd.until(async () => (await client.ask(rcpt('a@elsewhere.example', 'm8'))) === 'DUNNO');
  });

  it('is restarted under load without a wrong answer or a message counted twice', async () => {
    const before = (await outbound())?.sent_today ?? 0;
    const total = 200;
    const finished = new Set<number>();
    const wrong: string[] = [];
    const messages = Array.from({ length: total }, (_, index) => index).values();
    const smtpd = async (): Promise<void> => {
      let client: PostfixClient | null = null;
      for (const index of messages) {
        while (!finished.has(index) && wrong.length === 0) {
          try {
            client ??= await postfix();
            const answer = await client.ask(end(`restart-${index}`, 1));
            if (answer === 'DUNNO') finished.add(index);
            else wrong.push(answer);
          } catch {
            // Postfix connects anew and asks again, with the same instance.
            client = null;
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }
        if (index === 60) {
          expect(await policyd.end('SIGTERM')).toBe(0);
          policyd = await startPolicyd();
        }
        if (index === 120) {
          await policyd.end('SIGKILL');
          policyd = await startPolicyd();
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, smtpd));
    expect(wrong).toEqual([]);
    expect((await outbound())?.sent_today).toBe(before + total);
  });

  it('lets mail pass while the API is away where it is told to, within bounds, and counts it later, once', async () => {
    await policyd.end('SIGTERM');
    policyd = await startPolicyd({ POLICY_FAIL: 'open' });
    const client = await postfix();
    expect(await client.ask(rcpt('a@elsewhere.example', 'o0', 'a@blocked.example'))).toMatch(/^550/);
    const before = (await outbound())?.sent_today ?? 0;
    await api.end('SIGKILL');
    expect(await client.ask(rcpt('a@elsewhere.example', 'o1', 'a@blocked.example'))).toMatch(/^451/);
    expect(await client.ask(end('o1', 1, 10, 'a@blocked.example'))).toMatch(/^451/);
    expect(await client.ask(rcpt('a@elsewhere.example', 'o2'))).toBe('DUNNO');
    expect(await client.ask(end('o2', 60))).toBe('DUNNO');
    expect(await client.ask(end('o2', 60))).toBe('DUNNO');
    expect(await client.ask(end('o3', 41))).toMatch(/^451/);
    expect(await client.ask(end('o4', 40))).toBe('DUNNO');
    expect(await client.ask(rcpt('a@elsewhere.example', 'o5'))).toMatch(/^451/);
    await policyd.end('SIGKILL');
    policyd = await startPolicyd({ POLICY_FAIL: 'open' });
    const again = await postfix();
    expect(await again.ask(end('o6', 1))).toMatch(/^451/);
    expect(await again.ask(end('o7', 1, 10, 'a@blocked.example'))).toMatch(/^451/);
    api = await startApi();
    await policyd.until(async () => (await outbound())?.sent_today === before + 100);
    expect(await again.ask(end('o8', 1))).toBe('DUNNO');
    expect((await outbound())?.sent_today).toBe(before + 101);
  });

  it('lets a login write as itself while the API is away, where it is told to, and as nobody else', async () => {
    const milterPort = await freePort();
    const fromOf = async (address: string) => {
      const milter = await MilterClient.open({ port: milterPort });
      const { reply } = await milter.send({ login: LOGIN, headers: [['From', address]] });
      milter.close();
      return reply;
    };
    await api.end('SIGKILL');
    for (const [fail, own] of [
      ['open', null],
      ['closed', expect.stringMatching(/^451 /)],
    ] as const) {
      await policyd.end('SIGTERM');
      policyd = await startPolicyd({ POLICY_FAIL: fail, MILTER_LISTEN: `127.0.0.1:${milterPort}` });
      expect(await fromOf(LOGIN)).toEqual(own);
      expect(await fromOf('boss@beta.example')).toMatch(/^451 /);
    }
    api = await startApi();
  });

  it('names every wrong setting at once and ends with 1', async () => {
    const child = new Child('policyd', {
      MAILSTEAD_URL: 'x',
      POLICY_TOKEN: 'short',
      POLICY_FAIL: 'maybe',
      POLICY_LISTEN: 'y',
    });
    expect(await child.exit()).toBe(1);
    for (const name of ['MAILSTEAD_URL', 'POLICY_TOKEN', 'POLICY_FAIL', 'POLICY_LISTEN'])
      expect(child.output).toContain(name);
    expect(child.output).not.toContain('short');
  });
});
