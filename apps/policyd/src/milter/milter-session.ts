import { judgeMessage } from './judge-message.js';
import type { MessageCounter } from './message-counter.js';
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

const STRANGER = { verdict: 'unauthenticated', reply: null, cause: null } as const;
/** More than a message may have; the rest need not be kept to refuse it. */
const RECIPIENTS_KEPT = 1_001;

interface Message {
  login: string;
  clientAddress: string;
  clientPort: string;
  recipients: string[];
  headers: MessageHeaders;
  bytes: number;
}

/** One connection of a mail server: many messages, one after the other. */
export class MilterSession {
  /** True when the mail server said that it is done. */
  ended = false;
  private steps: number | null = null;
  private message: Message | null = null;
  /** Of steps that are still to come, by their letter: each step uses up its own. */
  private readonly macros = new Map<string, ReadonlyMap<string, string>>();

  constructor(
    private readonly check: SenderCheck,
    private readonly counter: MessageCounter,
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
        // All bytes of it were body, if there were any.
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

  /** The macros of a step come just before it: whoever is not named in those of MAIL has not logged in. */
  private begin(): Message {
    const macro = (name: string) => this.macro(COMMAND.mail, name);
    return {
      login: macro('auth_authen'),
      clientAddress: macro('client_addr'),
      clientPort: macro('client_port'),
      recipients: [],
      headers: new MessageHeaders(),
      // The empty line behind the header.
      bytes: 2,
    };
  }

  /** The mail server tells of those alone that it accepted. */
  private addRecipient({ recipients }: Message, data: Buffer): void {
    if (recipients.length === RECIPIENTS_KEPT) return;
    const written = data.toString('utf8', 0, data.indexOf(0)).replace(/^<(.*)>$/, '$1');
    recipients.push(this.macro(COMMAND.rcpt, 'rcpt_addr') || written);
  }

  /** Empty when the mail server told none with this step. */
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
    const judged = login === '' ? STRANGER : await judgeMessage(login, headers, this.check);
    // What is refused here is not counted; what is counted is accepted, for this is the last one that could refuse it.
    const objection = judged.reply === null ? await this.counter.count({ ...message, host, queueId }) : null;
    const reply = judged.reply ?? objection;
    const verdict = objection === null ? judged.verdict : objection.startsWith('5') ? 'refused' : 'deferred';
    this.observer.decided({ verdict, login, queueId, reason: reply, cause: judged.cause });
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
 * Counts a field as it came: its name, colon and value, where each line ends with two bytes.
 *
 * @param blanks the blanks behind the colon that the mail server does not tell: 0 when it tells them all.
 */
function addHeader(message: Message, data: Buffer, blanks: number): void {
  const [name, value] = fieldOf(data);
  let breaks = 0;
  for (let at = value.indexOf(0x0a); at !== -1; at = value.indexOf(0x0a, at + 1)) breaks += 1;
  message.bytes += name.length + 1 + blanks + value.length + breaks + 2;
  // The blank that the mail server told is none of the value: a line is measured without it.
  const hasBlank = blanks === 0 && value[0] === 0x20;
  message.headers.add(name, hasBlank ? value.subarray(1) : value);
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
