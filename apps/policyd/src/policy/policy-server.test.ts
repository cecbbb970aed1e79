import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PolicyServer } from './policy-server.js';

const REQUEST = 'request=smtpd_access_policy\nprotocol_state=RCPT\n\n';
const ACTION = `450 4.7.1 ${'x'.repeat(4_000)}`;
const HALF_SENT_MS = 300;

describe('the policy server', () => {
  let server: PolicyServer;
  let answered: number;
  let cut: string[];
  const sockets: Socket[] = [];

  async function dial(): Promise<Socket> {
    const socket = connect(Number(server.address.split(':').at(-1)), '127.0.0.1');
    socket.on('error', () => socket.destroy());
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function ask(socket: Socket): Promise<void> {
    socket.write(REQUEST);
    for (let text = ''; !text.endsWith('\n\n'); ) text += String((await once(socket, 'data'))[0]);
  }

  beforeEach(async () => {
    answered = 0;
    cut = [];
    server = new PolicyServer(
      async () => {
        answered += 1;
        return ACTION;
      },
      (reason) => cut.push(reason),
      { halfSentMs: HALF_SENT_MS },
    );
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close(100);
  });

  it('listens on a unix socket for its user and group only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'policy-'));
    const local = new PolicyServer(
      async () => ACTION,
      () => undefined,
    );
    await local.listen({ path: join(folder, 'policy') });
    expect((await stat(join(folder, 'policy'))).mode & 0o777).toBe(0o660);
    await local.close(0);
    await rm(folder, { recursive: true });
  });

  it('closes a connection whose request stays incomplete for too long, although more bytes arrive', async () => {
    const socket = await dial();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('request=');
    const moreBytes = setInterval(() => socket.writable && socket.write('x'), HALF_SENT_MS / 10);
    await closed;
    clearInterval(moreBytes);
    expect(cut).toHaveLength(1);
  });

  it('stops reading from a client that does not read its replies, and continues when the client reads them', async () => {
    const total = 20_000;
    const socket = await dial();
    socket.pause();
    socket.write(REQUEST.repeat(total));
    // 80 MB of replies are far more than the buffers hold. The second client reads its replies, so the server had time
    // to reply to the first one.
    const beside = 1_000;
    const reader = await dial();
    for (let turn = 0; turn < beside; turn += 1) await ask(reader);
    expect(answered - beside).toBeGreaterThan(0);
    expect(answered - beside).toBeLessThan(total / 2);
    const bytes = total * `action=${ACTION}\n\n`.length;
    let received = 0;
    await new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received === bytes) resolve();
      });
      socket.resume();
    });
    expect(received).toBe(bytes);
    expect(answered).toBe(total + beside);
  });
});
