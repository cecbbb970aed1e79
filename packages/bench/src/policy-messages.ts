import { once } from 'node:events';
import { connect } from 'node:net';

const ROUND_SECONDS = 4;
const CLIENT = ['{client_addr}', '192.0.2.1', '{client_port}', '43210'];
const BODY = Buffer.alloc(12_000, 'x');

/**
 * Runs one closed-loop round of messages through a milter in Postfix's format, one message after the other on each
 * connection.
 */
export async function messageRound(port: number, connections: number, login: () => string): Promise<number> {
  const deadline = performance.now() + ROUND_SECONDS * 1_000;
  const started = performance.now();
  const counts = await Promise.all(Array.from({ length: connections }, () => oneConnection(port, deadline, login)));
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1_000);
}

let messages = 0;

async function oneConnection(port: number, deadline: number, login: () => string): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  socket.setNoDelay(true);
  socket.write(packet('O', Buffer.from('00000006000001ff001fffff', 'hex')));
  return await new Promise<number>((resolve, reject) => {
    let accepted = 0;
    let isNegotiated = false;
    let rest: Buffer = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The milter closed the connection')));
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      if (rest.length < 4 || rest.length < 4 + rest.readUInt32BE(0)) return;
      const answer = rest.toString('latin1', 4);
      rest = Buffer.alloc(0);
      if (isNegotiated && answer !== 'c') {
        reject(new Error(`The milter answered ${answer}`));
        return;
      }
      if (isNegotiated) accepted += 1;
      isNegotiated = true;
      if (performance.now() < deadline) socket.write(message(login()));
      else {
        socket.removeAllListeners('close');
        socket.destroy();
        resolve(accepted);
      }
    });
  });
}

function message(login: string): Buffer {
  messages += 1;
  const recipient = 'someone@elsewhere.example';
  return Buffer.concat([
    packet('D', `M${['{auth_authen}', login, ...CLIENT].map((text) => `${text}\0`).join('')}`),
    packet('M', `<${login}>\0`),
    packet('D', `R{rcpt_addr}\0${recipient}\0`),
    packet('R', `<${recipient}>\0`),
    packet('L', `From\0 ${login}\0`),
    packet('L', 'Subject\0 a message of the bench\0'),
    packet('B', BODY),
    packet('D', `Ei\0bench-${process.pid}-${messages}\0j\0mx.example\0`),
    packet('E', ''),
  ]);
}

/** Returns a packet: the length including the letter, the letter, and the data. */
function packet(letter: string, data: Buffer | string): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length + 1, 0);
  head.write(letter, 4, 'latin1');
  return Buffer.concat([head, bytes]);
}
