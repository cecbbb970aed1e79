import type { Socket } from 'node:net';
import { LoopbackServer } from './loopback-server.js';

/**
 * libmilter's flags SMFIP_NO… and SMFIP_NR_… for all steps before the end of the message: omit the step, or need no
 * reply.
 */
const NOTHING_BUT_THE_END = 0x0f_f3_ff;

/** Milter replies (libmilter's SMFIR_). */
export type MilterReply = 'continue' | 'tempfail' | 'reject';
const LETTERS: Record<MilterReply, string> = { continue: 'c', tempfail: 't', reject: 'r' };

/** Replaces Mailstead's milter: replies at the end of each message as the test sets. */
export class MilterStandIn extends LoopbackServer {
  /** The number of messages that reached their end. */
  ended = 0;
  answer: MilterReply = 'continue';

  static async start(): Promise<MilterStandIn> {
    return await new MilterStandIn().listen();
  }

  protected override serve(socket: Socket): void {
    let buffer: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk]);
      while (buffer.length >= 4 && buffer.length >= 4 + buffer.readUInt32BE(0)) {
        const end = 4 + buffer.readUInt32BE(0);
        this.receive(socket, String.fromCharCode(buffer[4] ?? 0), buffer.subarray(5, end));
        buffer = buffer.subarray(end);
      }
    });
  }

  /** Macros, abort, quit and the omitted steps need no reply. */
  private receive(socket: Socket, command: string, offer: Buffer): void {
    if (command === 'O') {
      const agreed = Buffer.alloc(12);
      agreed.writeUInt32BE(6, 0);
      agreed.writeUInt32BE(NOTHING_BUT_THE_END & offer.readUInt32BE(8), 8);
      socket.write(packet('O', agreed));
    } else if (command === 'E') {
      this.ended += 1;
      socket.write(packet(LETTERS[this.answer]));
    } else if (command === 'Q') {
      socket.end();
    }
  }
}

function packet(letter: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(1 + content.length, 0);
  head.write(letter, 4, 'latin1');
  return Buffer.concat([head, content]);
}
