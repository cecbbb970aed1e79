import { judgeMessage } from './judge-message.js';
import { type FieldPosition, MessageHeaders } from './message-headers.js';
import type { MilterObserver } from './milter-observer.js';
import { COMMAND, packetOf, REPLY, STEP } from './milter-protocol.js';
import { MilterProtocolError } from './milter-protocol-error.js';
import { negotiate } from './negotiate.js';
import type { MilterPacket } from './read-packets.js';
import type { SenderCheck } from './sender-check.js';

/** The steps that a mail server waits for an answer after, unless it was agreed otherwise. */
const ANSWERED: Partial<Record<string, number>> = {
  [COMMAND.connect]: STEP.noAnswerToConnect,
  [COMMAND.helo]: STEP.noAnswerToHelo,
  [COMMAND.mail]: STEP.noAnswerToMail,
  [COMMAND.rcpt]: STEP.noAnswerToRcpt,
  [COMMAND.data]: STEP.noAnswerToData,
  [COMMAND.unknown]: STEP.noAnswerToUnknown,
  [COMMAND.header]: STEP.noAnswerToHeader,
  [COMMAND.endOfHeaders]: STEP.noAnswerToEndOfHeaders,
  [COMMAND.body]: STEP.noAnswerToBody,
};

interface Message {
  login: string;
  headers: MessageHeaders;
}

/** One connection of a mail server: many messages, one after the other. */
export class MilterSession {
  /** True when the mail server said that it is done. */
  ended = false;
  private steps: number | null = null;
  private message: Message | null = null;
  private login = '';
  private queueId = '';

  constructor(
    private readonly check: SenderCheck,
    private readonly observer: MilterObserver,
  ) {}

  /**
   * Takes the next packet.
   *
   * @returns what to send back; null when nothing is waited for.
   * @throws MilterProtocolError when it cannot come now, or at all.
   */
  async take({ letter, data }: MilterPacket): Promise<Buffer | null> {
    if (letter === COMMAND.quit) {
      this.ended = true;
      return null;
    }
    if (letter === COMMAND.negotiate) return this.negotiate(data);
    if (this.steps === null) throw new MilterProtocolError('a step before the offer');
    switch (letter) {
      case COMMAND.quitForNewConnection:
      case COMMAND.abort:
        this.forget();
        return null;
      case COMMAND.macro:
        this.remember(data);
        return null;
      case COMMAND.mail:
        this.message = { login: this.login, headers: new MessageHeaders() };
        break;
      case COMMAND.header:
        this.current().headers.add(...fieldOf(data));
        break;
      case COMMAND.endOfMessage:
        return await this.decide(this.current());
      default:
        break;
    }
    const silent = ANSWERED[letter];
    if (silent === undefined) throw new MilterProtocolError('an unknown step');
    return (this.steps & silent) === 0 ? packetOf(REPLY.continue) : null;
  }

  private negotiate(offer: Buffer): Buffer {
    const { reply, steps } = negotiate(offer);
    this.steps = steps;
    this.forget();
    return reply;
  }

  private remember(data: Buffer): void {
    const macros = macrosOf(data);
    // The macros of MAIL come just before it: whoever is not named in them has not logged in.
    if (data.toString('latin1', 0, 1) === COMMAND.mail) this.login = macros.get('auth_authen') ?? '';
    this.queueId = macros.get('i') ?? this.queueId;
  }

  private current(): Message {
    if (this.message === null) throw new MilterProtocolError('a part of a message before its sender');
    return this.message;
  }

  private async decide({ login, headers }: Message): Promise<Buffer> {
    const { queueId } = this;
    this.forget();
    if (login === '') {
      this.observer.decided({ verdict: 'unauthenticated', login, queueId, reason: null, cause: null });
      return packetOf(REPLY.continue);
    }
    const { verdict, reply, cause } = await judgeMessage(login, headers, this.check);
    this.observer.decided({ verdict, login, queueId, reason: reply, cause });
    if (reply !== null) return replyPacket(reply);
    return Buffer.concat([...headers.relayOrders.map(removal), packetOf(REPLY.continue)]);
  }

  private forget(): void {
    this.message = null;
    this.login = '';
    this.queueId = '';
  }
}

function replyPacket(reply: string): Buffer {
  // A mail server takes the text for a format.
  return packetOf(REPLY.replyCode, Buffer.from(`${reply.replaceAll('%', '%%')}\0`, 'latin1'));
}

function removal({ name, occurrence }: FieldPosition): Buffer {
  const position = Buffer.alloc(4);
  position.writeUInt32BE(occurrence, 0);
  // An empty value removes the field.
  return packetOf(REPLY.changeHeader, Buffer.concat([position, Buffer.from(`${name}\0\0`, 'latin1')]));
}

function fieldOf(data: Buffer): [name: string, value: Buffer] {
  const middle = data.indexOf(0);
  const end = data.length - 1;
  // A second text inside would be read by others and not by us.
  if (middle < 0 || data.indexOf(0, middle + 1) !== end)
    throw new MilterProtocolError('a field that is not a name and a value');
  return [data.toString('latin1', 0, middle), data.subarray(middle + 1, end)];
}

function macrosOf(data: Buffer): Map<string, string> {
  const texts = data.toString('latin1', 1).split('\0');
  if (data.length === 0 || texts.pop() !== '' || texts.length % 2 === 1)
    throw new MilterProtocolError('macros that are not pairs');
  const macros = new Map<string, string>();
  for (let index = 0; index < texts.length; index += 2) {
    macros.set((texts[index] ?? '').replace(/^\{(.*)\}$/, '$1'), texts[index + 1] ?? '');
  }
  return macros;
}
