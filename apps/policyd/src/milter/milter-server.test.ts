import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@mailstead/core/testing/until';
import fc from '../../../../scripts/fast-check.mjs';
import { COMMAND, packetOf, REPLY, STEP } from './milter-protocol.js';
import { MilterServer } from './milter-server.js';
import { from, ListeningMilter } from './testing/listening-milter.js';
import { bytesOf, headerPacket, MilterClient, macroPacket, words } from './testing/milter-client.js';

describe('the milter', () => {
  let milter: ListeningMilter;

  beforeEach(async () => {
    milter = await ListeningMilter.start();
  });
  afterEach(() => milter.server.close(0));

  it('accepts messages that arrive in one chunk or byte by byte', async () => {
    const client = await milter.open();
    const message = bytesOf(from('alice@acme.test'));
    client.write(Buffer.concat([message, bytesOf(from('carol@beta.test')), message]));
    expect((await client.outcome()).reply).toBeNull();
    expect((await client.outcome()).reply).toContain('550');
    expect((await client.outcome()).reply).toBeNull();
    client.socket.setNoDelay(true);
    for (const byte of message) {
      client.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await client.outcome()).reply).toBeNull();
    client.close();
  });

  it('negotiates only flags of the offer, and replies to the steps that it could not omit', async () => {
    const client = await MilterClient.connect({ port: milter.port });
    const agreed = await client.offer(words(6, 0x1ff, 0));
    expect([agreed.readUInt32BE(0), agreed.readUInt32BE(4), agreed.readUInt32BE(8)]).toEqual([6, 0x151, 0]);
    const steps: [string, Buffer][] = [
      [COMMAND.connect, Buffer.from('host\0')],
      [COMMAND.helo, Buffer.from('host\0')],
      [COMMAND.mail, Buffer.from('<a@b.test>\0')],
      [COMMAND.rcpt, Buffer.from('<c@d.test>\0')],
      [COMMAND.data, Buffer.alloc(0)],
      [COMMAND.header, Buffer.from('From\0carol@beta.test\0')],
      [COMMAND.endOfHeaders, Buffer.alloc(0)],
      [COMMAND.body, Buffer.alloc(65_535)],
      [COMMAND.unknown, Buffer.from('XYZ\0')],
    ];
    client.write(macroPacket(COMMAND.mail, ['{auth_authen}', 'alice@acme.test']));
    for (const [letter, data] of steps) {
      client.write(packetOf(letter, data));
      expect((await client.next())?.letter).toBe(REPLY.continue);
    }
    client.write(packetOf(COMMAND.endOfMessage));
    expect((await client.outcome()).reply).toContain('carol@beta.test');
    client.close();
  });

  it('replies to the last step before the header, so that the header does not wait for a delayed TCP ACK', async () => {
    const client = await MilterClient.connect({ port: milter.port });
    const steps = (await client.offer()).readUInt32BE(8);
    expect(steps & (STEP.noData | STEP.noAnswerToData)).toBe(0);
    client.write(Buffer.concat([packetOf(COMMAND.mail, Buffer.from('<a@b.test>\0')), packetOf(COMMAND.data)]));
    expect((await client.next())?.letter).toBe(REPLY.continue);
    client.close();
  });

  it('knows when the session of a client began, before the client says anything, until the connection closes', async () => {
    const before = performance.now();
    const client = await milter.open();
    const connected = performance.now();
    expect(await client.announce('192.0.2.1', 4_000)).toBe(REPLY.continue);
    const began = milter.sessions.beganOf('192.0.2.1', '4000');
    expect(began).toBeGreaterThanOrEqual(before);
    expect(began).toBeLessThanOrEqual(connected);
    await client.send(from('alice@acme.test'));
    await client.send(from('alice@acme.test'));
    expect(milter.counts.messages.map(({ sessionBegan }) => sessionBegan)).toEqual([began, began]);
    client.close();
    await until('the end of the session', async () => milter.sessions.beganOf('192.0.2.1', '4000') === undefined);
  });

  it('begins a new session when the mail server begins one on the same connection', async () => {
    const client = await milter.open();
    await client.announce('2001:db8::1', 4_000);
    const began = milter.sessions.beganOf('2001:db8::1', '4000') ?? 0;
    client.beginSession();
    await client.send(from('alice@acme.test'));
    expect(milter.sessions.beganOf('2001:db8::1', '4000')).toBeUndefined();
    expect(milter.counts.messages[0]?.sessionBegan).toBeGreaterThan(began);
    client.close();
  });

  it.each([
    ['an unknown client', 'unknown\0U'],
    ['no family', 'host\0'],
    ['nothing', ''],
    ['a client that ends in its port', 'host\x004\0'],
  ])('accepts %s, whose session is found by nobody and has an age', async (_, data) => {
    const client = await milter.open();
    client.write(packetOf(COMMAND.connect, Buffer.from(data, 'latin1')));
    expect((await client.next())?.letter).toBe(REPLY.continue);
    expect((await client.send(from('alice@acme.test'))).reply).toBeNull();
    expect(milter.counts.messages[0]?.sessionBegan).toBeGreaterThan(0);
    client.close();
  });

  it('requests the macros of login, sender, client, recipient, queue id and host by name', async () => {
    const client = await MilterClient.connect({ port: milter.port });
    const agreed = await client.offer();
    expect(agreed.subarray(12).toString('latin1')).toBe(
      '\0\0\0\u0002{auth_authen} {mail_addr} {client_addr} {client_port}\0\0\0\0\u0003{rcpt_addr}\0\0\0\0\u0005i j\0',
    );
    client.close();
  });

  const mail = packetOf(COMMAND.mail, Buffer.from('<a@b.test>\0'));
  it.each<[string, Buffer]>([
    ['a step before the offer', Buffer.concat([mail])],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a packet without a length', words(0)],
    ['a packet of 4 GiB', words(0xffff_ffff)],
    ['an older version', packetOf(COMMAND.negotiate, words(2, 0x1ff, 0))],
    ['no right to change headers', packetOf(COMMAND.negotiate, words(6, 0x10f, 0))],
    ['no right to add headers', packetOf(COMMAND.negotiate, words(6, 0x1fe, 0))],
    ['no right to change the sender', packetOf(COMMAND.negotiate, words(6, 0x1bf, 0))],
    ['half an offer', packetOf(COMMAND.negotiate, words(6))],
  ])('closes a connection that begins with %s', async (_, bytes) => {
    const client = await MilterClient.connect({ port: milter.port });
    client.write(bytes);
    expect(await client.next()).toBeNull();
    expect(milter.observed.cuts).toHaveLength(1);
  });

  it.each<[string, Buffer]>([
    ['a header before any message', headerPacket('From', 'alice@acme.test')],
    ['an end before any message', packetOf(COMMAND.endOfMessage)],
    ['a header of three texts', Buffer.concat([mail, headerPacket('From', 'alice@acme.test\0carol@beta.test')])],
    ['a header of one text', Buffer.concat([mail, packetOf(COMMAND.header, Buffer.from('From'))])],
    ['a macro without a value', packetOf(COMMAND.macro, Buffer.from('M{auth_authen}\0'))],
    ['an unknown step', packetOf('z')],
    ['a packet above 1 MiB', words(1_048_577)],
  ])('closes a connection that continues with %s', async (_, bytes) => {
    const client = await milter.open();
    client.write(bytes);
    expect(await client.next()).toBeNull();
    expect(milter.observed.cuts).toHaveLength(1);
  });

  it('continues after invalid bytes, and after connections that close at any point', async () => {
    const whole = Buffer.concat([
      packetOf(COMMAND.negotiate, words(6, 0x1ff, 0x1f_ffff)),
      bytesOf(from('alice@acme.test')),
    ]);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.uint8Array({ maxLength: 40 }), async (kept, garbage) => {
        const client = await MilterClient.connect({ port: milter.port });
        client.socket.end(Buffer.concat([whole.subarray(0, kept), garbage]));
        for (let packet = await client.next(); packet !== null; packet = await client.next())
          expect(packet.letter).toMatch(/[Ocmy]/);
      }),
      { numRuns: 200 },
    );
    expect((await milter.outcome(from('alice@acme.test'))).reply).toBeNull();
  });

  it('reports a connection that ends inside a packet, and none that ends between packets', async () => {
    const message = bytesOf(from('alice@acme.test'));
    for (const bytes of [message, Buffer.concat([message, message.subarray(0, 7)])]) {
      const client = await milter.open();
      client.socket.end(bytes);
      while ((await client.next()) !== null);
    }
    await until('every connection to be closed', () => milter.server.connections === 0);
    expect(milter.observed.cuts).toEqual(['the connection broke off inside a packet']);
  });

  it('closes a connection that is idle for too long', async () => {
    const short = new MilterServer(milter.counts, milter.observed, milter.sessions, { idleMs: 50 });
    await short.listen({ host: '127.0.0.1', port: 0 });
    const client = await MilterClient.open({ port: Number(short.address.split(':')[1]) });
    client.write(Buffer.of(0, 0));
    expect(await client.next()).toBeNull();
    expect(milter.observed.cuts).toEqual(['nothing for 50 ms']);
    await short.close(0);
  });

  it('reads no further bytes while a check is running', async () => {
    let release = (): void => undefined;
    milter.counts.gate = new Promise((resolve) => {
      release = resolve;
    });
    const client = await milter.open();
    const message = bytesOf({
      ...from('alice@acme.test'),
      headers: [
        ['From', 'alice@acme.test'],
        ['X', 'x'.repeat(100_000)],
      ],
    });
    const count = 400;
    for (let index = 0; index < count; index += 1) client.write(message);
    // 40 MB were written. The buffers of the kernel and of both ends are much smaller, so most bytes wait in the
    // client.
    await until('the first claim', () => milter.counts.claims.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(client.socket.writableLength).toBeGreaterThan(20_000_000);
    release();
    for (let index = 0; index < count; index += 1) expect((await client.outcome()).reply).toBeNull();
    client.close();
  });

  it('finishes the current messages when it closes, and accepts no new connection', async () => {
    let release = (): void => undefined;
    milter.counts.gate = new Promise((resolve) => {
      release = resolve;
    });
    const client = await milter.open();
    const answer = client.send(from('alice@acme.test'));
    await until('the first claim', () => milter.counts.claims.length === 1);
    const { port } = milter;
    const closed = milter.server.close(60_000);
    await expect(MilterClient.connect({ port })).rejects.toThrow('ECONNREFUSED');
    release();
    expect((await answer).reply).toBeNull();
    expect((await client.send(from('carol@beta.test'))).reply).toContain('550');
    client.write(packetOf(COMMAND.quit));
    await closed;
    expect(milter.server.connections).toBe(0);
    await milter.listen();
  });

  it('closes the open connections at the deadline', async () => {
    const client = await milter.open();
    await milter.server.close(10);
    expect(await client.next()).toBeNull();
    await milter.listen();
  });

  it('listens on a unix socket for its user and group, replaces the socket of a killed process, and fails when another server listens on it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'milter-'));
    const path = join(folder, 'milter');
    const left = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', left]);
    expect((await stat(path)).isSocket()).toBe(true);
    const local = new MilterServer(milter.counts, milter.observed, milter.sessions);
    await local.listen({ path });
    expect((await stat(path)).mode & 0o777).toBe(0o660);
    await expect(new MilterServer(milter.counts, milter.observed, milter.sessions).listen({ path })).rejects.toThrow(
      'EADDRINUSE',
    );
    const client = await MilterClient.open({ path });
    expect((await client.send(from('alice@acme.test'))).reply).toBeNull();
    client.close();
    await local.close(0);
    await rm(folder, { recursive: true });
  });
});
