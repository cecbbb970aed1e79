import { createConnection } from 'node:net';
import { freePorts } from '../../../../../scripts/free-port.mjs';
import { PROBE_ADDRESS } from '../probe.js';
import { ProbeListener } from './probe-listener.js';

describe('the listener of the doctor', () => {
  let listener: ProbeListener;
  let port: number;

  beforeEach(async () => {
    [port = 0] = await freePorts(1);
    listener = await ProbeListener.start({ host: '127.0.0.1', port });
  });

  afterEach(async () => {
    await listener.stop();
  });

  /** Writes all at once. @returns the whole answer, when the listener ended the session. */
  const say = async (...lines: string[]): Promise<string> =>
    await new Promise((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' });
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
        if (answer.includes('221 ')) socket.destroy();
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve(answer));
      socket.write(lines.map((line) => `${line}\r\n`).join(''));
    });

  it('takes the message that it expects once, also in pieces and with a dot in it', async () => {
    const to = listener.expect('abc123');
    const arrived = listener.arrives('abc123', 60_000);
    const session = ['LHLO x', 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA', 'Subject: x', '', '..', '.', 'QUIT'];
    expect(await say(...session)).toContain('250 2.0.0 Arrived');
    expect(await arrived).toBe(true);
    expect(await say('LHLO x', 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'QUIT')).toContain('550 5.1.1');
  });

  it('refuses every other recipient, and a message without one', async () => {
    listener.expect('abc123');
    for (const to of [PROBE_ADDRESS, 'probe+abc124@mailstead-doctor.invalid', 'alice@acme.test', '']) {
      const answer = await say('LHLO x', 'MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA', 'QUIT');
      expect(answer).toMatch(/550 5\.1\.1 .*\r\n503 5\.5\.1/);
    }
    expect(await listener.arrives('abc123', 1)).toBe(false);
  });

  it('ends a session that sends too long a line', async () => {
    expect(await say('LHLO x', 'a'.repeat(1_000_000), 'QUIT')).not.toMatch(/^(500|221)/m);
  });
});
