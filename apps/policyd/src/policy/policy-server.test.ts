import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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

  it('cuts off who sends half a request, however steadily the rest drips', async () => {
    const socket = await dial();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('request=');
    const drips = setInterval(() => socket.writable && socket.write('x'), HALF_SENT_MS / 10);
    await closed;
    clearInterval(drips);
    expect(cut).toHaveLength(1);
  }, 20_000);

  it('reads no more from who takes no answers, and goes on when they are taken', async () => {
    const total = 20_000;
    const socket = await dial();
    socket.pause();
    socket.write(REQUEST.repeat(total));
    // 80 MB of answers: far more than the buffers in between hold. Its turn has come as often as that of who reads
    // beside it.
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
