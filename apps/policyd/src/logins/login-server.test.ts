import { requestText, statusesOf, statusesOfMost } from '@mailstead/core/testing/pipelined-requests';
import { until } from '@mailstead/core/testing/until';
import { LoginServer } from './login-server.js';
import { LoginTurns } from './login-turns.js';
import { TrustedHosts } from './trusted-hosts.js';

const BOUNDS = {
  running: { mailbox: 1, domain: 9, client: 9 },
  waiting: { mailbox: 1, domain: 9, client: 9 },
  waitingInAll: 9,
  trusted: { domain: 9, inAll: 9 },
  waitMs: 60_000,
  leaseMs: 60_000,
};
const WEBMAIL = new TrustedHosts(['192.0.2.7', '2001:db8::7']);

describe('the server for Dovecot’s auth policy requests', () => {
  let turns: LoginTurns;
  let server: LoginServer;
  let outcomes: string[];

  beforeEach(async () => {
    outcomes = [];
    turns = new LoginTurns(BOUNDS);
    server = new LoginServer(turns, WEBMAIL, (outcome) => outcomes.push(outcome));
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  async function send(command: string, body: object | string, signal?: AbortSignal): Promise<[number, unknown]> {
    const response = await fetch(`http://${server.address}/logins?command=${command}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
    const text = await response.text();
    return [response.status, text === '' ? null : JSON.parse(text)];
  }
  const of = (session: string, login = 'a@one.test', process = '7') => ({ login, client: '::1', session, process });
  const port = () => Number(new URL(`http://${server.address}`).port);
  const waiting = (number: number) => until(`${number} waiting checks`, () => turns.waiting === number);

  it('answers when the check may begin: at once, after the report of the one before, or never', async () => {
    expect(await send('allow', of('first'))).toEqual([200, { status: 0 }]);
    const second = send('allow', of('second', 'A@ONE.test'));
    await waiting(1);
    expect(await send('allow', of('third'))).toEqual([200, { status: -1, msg: expect.any(String) }]);
    expect(await send('report', { ...of('first'), success: false, policy_reject: false })).toEqual([
      200,
      { status: 0 },
    ]);
    expect(await second).toEqual([200, { status: 0 }]);
    expect(outcomes).toEqual(['allowed', 'refused', 'allowed']);
  });

  it('tells logins of Postfix apart by their process, as they have no session', async () => {
    await send('allow', of('', 'a@one.test', '7'));
    const second = send('allow', of('', 'a@one.test', '8'));
    await waiting(1);
    await send('report', of('', 'a@one.test', '9'));
    expect(turns.waiting).toBe(1);
    await send('report', of('', 'a@one.test', '7'));
    expect(await second).toEqual([200, { status: 0 }]);
  });

  it('forgets a login that waits when Dovecot closes the connection', async () => {
    await send('allow', of('first'));
    const gone = new AbortController();
    const second = send('allow', of('second'), gone.signal);
    await waiting(1);
    gone.abort();
    await expect(second).rejects.toThrow('aborted');
    await waiting(0);
    expect(turns.running).toBe(1);
  });

  it('counts the addresses of an IPv6 /64 network as one client', async () => {
    turns = new LoginTurns({ ...BOUNDS, running: { mailbox: 9, domain: 9, client: 1 } });
    server.close();
    server = new LoginServer(turns, WEBMAIL, () => undefined);
    await server.listen({ host: '127.0.0.1', port: 0 });
    const from = (client: string, session: string) => ({ ...of(session), client });
    await send('allow', from('2001:db8:0:1::1', 'a'));
    await send('allow', from('2001:db8:0:2::1', 'b'));
    void send('allow', from('2001:0db8:0:1:ffff:1:2:3', 'c')).catch(() => undefined);
    await waiting(1);
    expect(turns.running).toBe(2);
  });

  it('takes a login for one of a trusted host by where its connection comes from, whatever client is named', async () => {
    turns = new LoginTurns({ ...BOUNDS, running: { mailbox: 9, domain: 9, client: 0 }, waitMs: 1 });
    server.close();
    server = new LoginServer(turns, WEBMAIL, (outcome) => outcomes.push(outcome));
    await server.listen({ host: '127.0.0.1', port: 0 });
    const from = (client: string, peer: string | undefined) => ({ ...of(`${client} ${peer}`), client, peer });
    for (const peer of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::7', '2001:DB8:0:0::0007']) {
      await send('allow', from('198.51.100.1', peer));
      await send('allow', from(peer, peer));
    }
    expect(outcomes.splice(0)).toEqual(Array(8).fill('allowed'));
    for (const peer of ['192.0.2.70', '2001:db8::8', '198.51.100.1', '', 'webmail.test', '192.0.2.7/32', undefined])
      await send('allow', from('192.0.2.7', peer));
    expect(outcomes).toEqual(Array(7).fill('refused'));
  });

  it.each([
    '',
    '{',
    '{"login": "a@one.test", "client": "", "session": "", "process": "", "peer": 7}',
    'null',
    '{"login": "a@one.test"}',
    '{"login": 1, "client": "", "session": "", "process": ""}',
  ])('answers 400 to the body %s', async (body) => expect(await send('allow', body)).toEqual([400, null]));

  it('tells the doctor which hosts are trusted, and begins no login for it', async () => {
    expect(await send('trusts', { ...of('first'), peer: '2001:db8:0::7' })).toEqual([200, { status: 1 }]);
    expect(await send('trusts', { ...of('first'), peer: '192.0.2.8' })).toEqual([200, { status: 0 }]);
    expect([turns.running, outcomes]).toEqual([0, []]);
  });

  it('answers 400 to an unknown command', async () => {
    expect(await send('deny', of('first'))).toEqual([400, null]);
  });

  it('decides one login of a connection after the other, also when they come at once', async () => {
    const allow = (session: string, isLast = false) =>
      requestText('/logins?command=allow', { body: JSON.stringify(of(session, `${session}@one.test`)), isLast });
    await send('allow', of('before', 'first@one.test'));
    const both = statusesOf(port(), [allow('first'), allow('second', true)]);
    await waiting(1);
    expect(outcomes).toEqual(['allowed']);
    await send('report', of('before', 'first@one.test'));
    expect(await both).toEqual([200, 200]);
    expect(outcomes).toEqual(['allowed', 'allowed', 'allowed']);
  });

  it('lets 32 requests of a connection wait, and ends the connection at one more', async () => {
    expect(await statusesOfMost(port(), '/logins?command=allow')).toEqual({
      statuses: Array(33).fill(400),
      isEndedByOneMore: true,
    });
  });
});
