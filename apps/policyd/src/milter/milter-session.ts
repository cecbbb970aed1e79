import { checkSenders } from './check-senders.js';
import type { MessageCounter } from './message-counter.js';
import { type FieldPosition, MessageHeaders } from './message-headers.js';
import type { MilterObserver } from './milter-observer.js';
import { COMMAND, packetOf, REPLY, STEP } from './milter-protocol.js';
import { MilterProtocolError } from './milter-protocol-error.js';
import { negotiate } from './negotiate.js';
import type { MilterPacket } from './read-packets.js';
import type { SenderCheck } from './sender-check.js';

/** The steps after which a mail server waits for an answer, unless negotiated otherwise. */
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

const STRANGER = { verdict: 'unauthenticated', reply: null, cause: null } as const;
/** More recipients than a message may have; further ones are not kept, since it is refused anyway. */
const RECIPIENTS_KEPT = 1_001;

interface Message {
  login: string;
  clientAddress: string;
  clientPort: string;
  recipients: string[];
  headers: MessageHeaders;
  bytes: number;
}

/** One connection of a mail server; it handles one message at a time. */
export class MilterSession {
  /** True when the mail server has ended the connection in order. */
  ended = false;
  private steps: number | null = null;
  private message: Message | null = null;
  /** Macros for the steps to come, by the step's letter; each step consumes its own. */
  private readonly macros = new Map<string, ReadonlyMap<string, string>>();

  constructor(
    private readonly check: SenderCheck,
    private readonly counter: MessageCounter,
    private readonly observer: MilterObserver,
  ) {}

  /**
   * Handles the next packet.
   *
   * @returns the packets to send; null when the mail server waits for none.
   * @throws MilterProtocolError when the packet is not allowed at this point, or never.
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
        this.macros.set(data.toString('latin1', 0, 1), macrosOf(data));
        return null;
      case COMMAND.mail:
        this.message = this.begin();
        break;
      case COMMAND.rcpt:
        this.addRecipient(this.current(), data);
        break;
      case COMMAND.header:
        addHeader(this.current(), data, (this.steps & STEP.blankBeforeValue) === 0 ? 1 : 0);
        break;
      case COMMAND.body:
        this.current().bytes += data.length;
        break;
      case COMMAND.endOfMessage:
        // Any data of this packet is body.
        this.current().bytes += data.length;
        return await this.decide(this.current());
      default:
        break;
    }
    this.macros.delete(letter);
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

  /** The macros of a step come just before it; without a login in those of MAIL, nobody logged in. */
  private begin(): Message {
    const macro = (name: string) => this.macro(COMMAND.mail, name);
    return {
      login: macro('auth_authen'),
      clientAddress: macro('client_addr'),
      clientPort: macro('client_port'),
      recipients: [],
      headers: new MessageHeaders(),
      // The empty line after the header.
      bytes: 2,
    };
  }

  /** The mail server sends accepted recipients only. */
  private addRecipient({ recipients }: Message, data: Buffer): void {
    if (recipients.length === RECIPIENTS_KEPT) return;
    const written = data.toString('utf8', 0, data.indexOf(0)).replace(/^<(.*)>$/, '$1');
    recipients.push(this.macro(COMMAND.rcpt, 'rcpt_addr') || written);
  }

  /** Returns a macro of the current step; empty when the mail server sent none. */
  private macro(step: string, name: string): string {
    return this.macros.get(step)?.get(name) ?? '';
  }

  private current(): Message {
    if (this.message === null) throw new MilterProtocolError('a part of a message before its sender');
    return this.message;
  }

  private async decide(message: Message): Promise<Buffer> {
    const [host, queueId] = [this.macro(COMMAND.endOfMessage, 'j'), this.macro(COMMAND.endOfMessage, 'i')];
    this.forget();
    const { login, headers } = message;
    const checked = login === '' ? STRANGER : await checkSenders(login, headers, this.check);
    // A refused message is not counted. A counted message is accepted, since this milter is the last to decide.
    const objection = checked.reply === null ? await this.counter.count({ ...message, host, queueId }) : null;
    const reply = checked.reply ?? objection;
    const verdict = objection === null ? checked.verdict : objection.startsWith('5') ? 'refused' : 'deferred';
    this.observer.decided({ verdict, login, queueId, reason: reply, cause: checked.cause });
    if (reply !== null) return replyPacket(reply);
    const removals = login === '' ? [] : headers.relayOrders.map(removal);
    return Buffer.concat([...removals, packetOf(REPLY.continue)]);
  }

  private forget(): void {
    this.message = null;
    this.macros.clear();
  }
}

/**
 * Returns the size of a field as received: name, colon and value, with two bytes for each line end.
 *
 * @param blanks the number of spaces after the colon that the mail server leaves out: 0 when it sends them all.
 */
function addHeader(message: Message, data: Buffer, blanks: number): void {
  const [name, value] = fieldOf(data);
  let breaks = 0;
  for (let at = value.indexOf(0x0a); at !== -1; at = value.indexOf(0x0a, at + 1)) breaks += 1;
  message.bytes += name.length + 1 + blanks + value.length + breaks + 2;
  // The space after the colon is sent as part of the value; a line's length is measured without it.
  const hasBlank = blanks === 0 && value[0] === 0x20;
  message.headers.add(name, hasBlank ? value.subarray(1) : value);
}

function replyPacket(reply: string): Buffer {
  // The mail server uses the text as a format string.
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
  // Other programs could read a second text after a NUL, which this milter would not check.
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
