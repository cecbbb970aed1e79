import { until } from '@mailstead/core/testing/until';
import { DovecotSessions } from './dovecot-sessions.js';
import { DoveadmServer } from './testing/doveadm-server.js';

const API_KEY = 'a key of doveadm';

describe.each([
  ['2.3', false],
  ['2.4', true],
])('open sessions at Dovecot %s', (_, isNew) => {
  let server: DoveadmServer;
  let sessions: DovecotSessions;

  beforeEach(async () => {
    server = await DoveadmServer.start(API_KEY);
    server.isNew = isNew;
    server.sessions = ['alice@acme.test', 'alice@acme.test', 'bob@acme.test', 'carol@beta.test', 'dan@sub.acme.test'];
    sessions = new DovecotSessions({ servers: [server.url], apiKey: API_KEY });
  });
  afterEach(() => server.close());

  it('of a mailbox end, and no others', async () => {
    await sessions.end(server.url, ['alice@acme.test']);
    expect(server.sessions).toEqual(['bob@acme.test', 'carol@beta.test', 'dan@sub.acme.test']);
  });

  it('of domains end, and not those of names that end alike', async () => {
    await sessions.end(server.url, ['acme.test', 'beta.test', 'nobody.test']);
    expect(server.sessions).toEqual(['dan@sub.acme.test']);
  });

  it('that are not there are no error, so that the call may be repeated', async () => {
    await sessions.end(server.url, ['zoe@acme.test', 'nobody.test']);
    await sessions.end(server.url, []);
    expect(server.sessions).toHaveLength(5);
    expect(server.commands).toEqual(['kick zoe@acme.test', 'kick *@nobody.test']);
  });

  it('show each of their domains once, in an answer of many chunks too', async () => {
    expect(await sessions.domains(server.url)).toEqual(['acme.test', 'beta.test', 'sub.acme.test']);
    server.sessions = Array.from({ length: 8_000 }, (_each, index) => `user${index}@d${index % 2_000}.test`);
    server.sessions.push('no-domain', 'with"quote@x.test');
    expect(await sessions.domains(server.url)).toHaveLength(2_000);
  });

  it('of many domains end in some requests of a bounded size', async () => {
    server.sessions = Array.from({ length: 250 }, (_each, index) => `user@d${index}.test`);
    await sessions.end(
      server.url,
      Array.from({ length: 249 }, (_each, index) => `d${index}.test`),
    );
    expect(server.sessions).toEqual(['user@d249.test']);
  });

  it.each(['', '*', '*@acme.test', 'a?ice@acme.test', 'alice@acme.test bob@acme.test'])(
    'never end by the mask %j, which would be others too',
    async (name) => {
      await expect(sessions.end(server.url, [name])).rejects.toThrow(RangeError);
      expect(server.commands).toEqual([]);
    },
  );

  it.each([75, 'close', 'cut'] as const)('are an error after %s', async (fault) => {
    server.fault = fault;
    const failure = { code: 'mail_store_unavailable', message: expect.stringContaining(server.url) };
    await expect(sessions.end(server.url, ['acme.test'])).rejects.toMatchObject(failure);
    await expect(sessions.domains(server.url)).rejects.toMatchObject(failure);
  });

  it('are an error at a server that the settings do not have, and no request is sent', async () => {
    const failure = { code: 'mail_store_unavailable', message: expect.stringContaining('DOVEADM_URL') };
    await expect(sessions.end('http://127.0.0.1:1/doveadm/v1', ['acme.test'])).rejects.toMatchObject(failure);
  });

  it('of a server that hangs hold one request, while the others fail at once', async () => {
    server.fault = 'hang';
    const hasty = new DovecotSessions({ servers: [server.url], apiKey: API_KEY, timeoutMs: 100, restMs: 600_000 });
    const end = () => hasty.end(server.url, ['acme.test']);
    await expect(end()).rejects.toMatchObject({ message: expect.stringContaining('no answer within 100 ms') });
    const others = await Promise.allSettled(Array.from({ length: 20 }, end));
    expect(others.map(({ status }) => status)).not.toContain('fulfilled');
    expect(server.commands.length).toBeLessThanOrEqual(1);
  });

  it('of a server that hung end when it answers again', async () => {
    server.fault = 'hang';
    const hasty = new DovecotSessions({ servers: [server.url], apiKey: API_KEY, timeoutMs: 1_000, restMs: 0 });
    const end = () => hasty.end(server.url, ['acme.test']);
    await expect(end()).rejects.toThrow('no answer');
    server.fault = null;
    await until('an end', () => end().then(() => true));
    expect(server.sessions).toEqual(['carol@beta.test', 'dan@sub.acme.test']);
  });
});

describe('an answer to `who` that has no end', () => {
  it('is not read for ever', async () => {
    const server = await DoveadmServer.start(API_KEY);
    server.fault = 'endless';
    const sessions = new DovecotSessions({ servers: [server.url], apiKey: API_KEY });
    await expect(sessions.domains(server.url)).rejects.toMatchObject({ code: 'mail_store_unavailable' });
    await expect(sessions.end(server.url, ['acme.test'])).rejects.toMatchObject({ code: 'mail_store_unavailable' });
    await server.close();
  });
});
