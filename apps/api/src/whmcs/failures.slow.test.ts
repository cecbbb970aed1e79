import type { Socket } from 'node:net';
import { freePort } from '../../../../scripts/free-port.mjs';
import { BrokenServer, makeCertificate } from '../testing/broken-server.js';
import { describePhp } from '../testing/describe-php.js';
import { FUNCTIONS, sentenceOf, type WhmcsService, WhmcsShop } from '../testing/whmcs-shop.js';

const TOKEN = 'token-of-the-shop-in-the-tests-0123456789';
const TABLES = { tblhosting: [], tblproducts: [] };
const ME = JSON.stringify({ kind: 'client', scope: 'manage', domains: null, partner_ref: 'acme' });

const http = (status: string, body: string, headers = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Sends one more byte whenever the last one left, so that no single read ever waits long. */
function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  const timer = setInterval(() => socket.write('a'), 20);
  socket.once('close', () => clearInterval(timer));
}

/** What a server does, and the sentence of the module. */
const SERVERS: [string, (socket: Socket) => void, RegExp][] = [
  [
    'never answers',
    () => {},
    /did not answer within 0\.5 s\. The request may have been carried out; the command can be repeated\.$/,
  ],
  ['sends a byte now and then, for ever', drip, /did not answer within 0\.5 s/],
  ['closes without an answer', (socket) => socket.end(), /was closed in the middle of the response/],
  [
    'closes in the middle of the body',
    (socket) => socket.end(http('200 OK', ME).slice(0, -5)),
    /was closed in the middle of the response/,
  ],
  [
    'closes in the middle of a chunk',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n${ME}`),
    /was closed in the middle of the response/,
  ],
  [
    'speaks another protocol',
    (socket) => socket.end('220 mail.example ESMTP\r\n'),
    /answered something that is not HTTP/,
  ],
  [
    'never ends its headers',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(500)}`),
    /answered too many headers/,
  ],
  [
    'answers without an end',
    (socket) => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${' '.repeat(5_000_000)}`),
    /answered more than 4 MB/,
  ],
  [
    'is a proxy without a service',
    (socket) => socket.end(http('502 Bad Gateway', '<h1>Bad</h1>')),
    /\(status 502\) is not Mailstead, or a proxy/,
  ],
  ['is another site', (socket) => socket.end(http('200 OK', '<html></html>')), /\(status 200\) is not Mailstead/],
  [
    'answers JSON of another program',
    (socket) => socket.end(http('404 Not Found', '{"error":"nothing here"}')),
    /\(status 404\) is not Mailstead/,
  ],
  [
    'is shutting down',
    (socket) =>
      socket.end(
        http('503 Service Unavailable', '{"code":"shutting_down","detail":"The service is shutting down; try again"}'),
      ),
    /^The service is shutting down; try again$/,
  ],
  [
    'redirects',
    (socket) => socket.end(http('307 Temporary Redirect', '', 'Location: http://127.0.0.1:1/me\r\n')),
    /redirects \(status 307\)\. The token is sent to no other address/,
  ],
  [
    'answers an error with the token in it',
    (socket) => socket.end(http('401 Unauthorized', `{"code":"invalid_token","detail":"Invalid token ${TOKEN}"}`)),
    /^Invalid token \*{8}$/,
  ],
];

const service = (url: string): WhmcsService => new WhmcsShop(url, TOKEN).service(17, 'shop.example');

/**
 * Every function shows the sentence, and so does WHMCS's log; the customer's page shows that there is nothing to show.
 */
async function expectSentence(url: string, action: string, sentence: RegExp, timeoutSeconds = 20): Promise<void> {
  const asked = service(url);
  const result = await asked.run(action, { tables: TABLES, timeoutSeconds });
  if (action === 'ClientArea') {
    expect(result).toEqual({
      tabOverviewModuleOutputTemplate: 'templates/clientarea.tpl',
      templateVariables: { mailsteadIsActive: true, mailsteadDns: null },
    });
  } else {
    expect(sentenceOf(result)).toMatch(sentence);
  }
  expect(asked.log.at(-1)).toMatchObject({ module: 'mailstead', action, processed: expect.stringMatching(sentence) });
}

describePhp('the WHMCS module', () => {
  let server: BrokenServer | null;

  beforeEach(() => {
    server = null;
  });
  afterEach(async () => server?.close());

  describe.each(SERVERS)('with a server that %s', (name, answer, sentence) => {
    const seconds = /never answers|now and then/.test(name) ? 0.5 : 20;

    it.each(FUNCTIONS)('%s ends in time, with a sentence', async (action) => {
      server = await BrokenServer.start(answer);
      await expectSentence(server.url, action, sentence, seconds);
    });
  });

  it.each(FUNCTIONS)('%s says that a service is down', async (action) => {
    await expectSentence(
      `http://127.0.0.1:${await freePort()}`,
      action,
      /^Mailstead does not answer at http.+Connection refused\./,
    );
  });

  it('reads an answer that comes in chunks', async () => {
    const chunked = ME.split('')
      .map((character) => `1\r\n${character}\r\n`)
      .join('');
    server = await BrokenServer.start((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}0\r\nX-Trailer: a\r\n\r\n`),
    );
    expect(await service(server.url).run('TestConnection')).toEqual({ success: true, error: '' });
  });

  it('follows no redirect of a repeated request to another server', async () => {
    const other = await BrokenServer.start((socket) => socket.end(http('200 OK', ME)));
    server = await BrokenServer.start((socket) => socket.end(http('302 Found', '', `Location: ${other.url}/me\r\n`)));
    await service(server.url).run('TestConnection');
    expect(other.received).toBe('');
    await other.close();
  });

  it('speaks TLS with a server whose certificate is trusted and has its name', async () => {
    const certificate = await makeCertificate('DNS:localhost');
    const long = ME + ' '.repeat(1_000_000);
    server = await BrokenServer.start((socket) => socket.end(http('200 OK', long)), certificate);
    expect(await service(server.url).run('TestConnection', { authorities: certificate.file })).toMatchObject({
      success: true,
    });
    await certificate.remove();
  });

  it.each([
    ['is not trusted', 'DNS:localhost', false],
    ['has another name', 'DNS:other.example', true],
  ])('sends nothing to a server whose certificate %s', async (_why, names, isTrusted) => {
    const certificate = await makeCertificate(names);
    server = await BrokenServer.start((socket) => socket.end(http('200 OK', ME)), certificate);
    const result = await service(server.url).run('TestConnection', isTrusted ? { authorities: certificate.file } : {});
    expect(sentenceOf(result)).toMatch(
      /^The TLS certificate of https:\/\/localhost:\d+ is not valid.+Nothing was sent\.$/,
    );
    expect(server.received).toBe('');
    await certificate.remove();
  });

  it('ends in time when a server never finishes the handshake of TLS', async () => {
    server = await BrokenServer.start(() => {});
    const url = server.url.replace('http:', 'https:');
    expect(sentenceOf(await service(url).run('TestConnection', { timeoutSeconds: 0.5 }))).toMatch(
      /did not answer within 0\.5 s/,
    );
  });
});
