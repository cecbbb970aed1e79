import { traced } from '@mailstead/core/trace';
import type { OpenedSession, OpenSessions } from '../open-sessions.js';
import { claimedAddresses } from './claimed-addresses.js';
import type { HeaderField, MessageCounter } from './message-counter.js';
import { type FieldPosition, MessageHeaders } from './message-headers.js';
import type { MilterObserver, MilterVerdict } from './milter-observer.js';
import { COMMAND, packetOf, REPLY, STEP } from './milter-protocol.js';
import { MilterProtocolError } from './milter-protocol-error.js';
import { negotiate } from './negotiate.js';
import type { MilterPacket } from './read-packets.js';
import { receiptOf } from './receipt-of.js';

/** The steps that need a reply, each with the flag that turns the reply off. */
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

/** What a read receipt says to programs that answer mail (RFC 3834 section 5). */
const AUTO_REPLIED: HeaderField = { name: 'Auto-Submitted', value: 'auto-replied' };

/** One more than a message may have. Further recipients are not stored, because the message is refused. */
const RECIPIENTS_KEPT = 1_001;

interface Message {
  login: string;
  /** The envelope sender; empty for the null sender. */
  sender: string;
  clientAddress: string;
  clientPort: string;
  /** By the arguments of RCPT, in lower case. */
  recipients: Map<string, string>;
  headers: MessageHeaders;
  bytes: number;
}

/** One connection of a mail server. Handles one message at a time. */
export class MilterSession {
  /** True after the mail server has sent QUIT. */
  ended = false;
  private steps: number | null = null;
  private message: Message | null = null;
  private opened: OpenedSession;
  /** Macros of the next steps, by the step's letter. They are removed after their step. */
  private readonly macros = new Map<string, ReadonlyMap<string, string>>();

  constructor(
    private readonly counter: MessageCounter,
    private readonly observer: MilterObserver,
    private readonly sessions: OpenSessions,
  ) {
    this.opened = { began: sessions.now(), key: null };
  }

  /** The connection has ended, and with it the SMTP session. */
  close(): void {
    this.sessions.remove(this.opened);
  }

  /**
   * Handles the next packet.
   *
   * @returns the packets to send; null when no reply is needed.
   * @throws MilterProtocolError when the packet is unknown or not allowed at this point.
   */
  async handle({ letter, data }: MilterPacket): Promise<Buffer | null> {
    if (letter === COMMAND.quit) {
      this.ended = true;
      return null;
    }
    if (letter === COMMAND.negotiate) return this.negotiate(data);
    if (this.steps === null) throw new MilterProtocolError('a step before the offer');
    switch (letter) {
      case COMMAND.quitForNewConnection:
        this.begins(this.sessions.now(), '', '');
        this.forget();
        return null;
      case COMMAND.abort:
        this.forget();
        return null;
      case COMMAND.macro:
        this.macros.set(data.toString('latin1', 0, 1), macrosOf(data));
        return null;
      case COMMAND.connect:
        this.begins(this.opened.began, ...clientOf(data));
        break;
      case COMMAND.mail:
        this.message = this.begin(data);
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
        // The packet may contain the end of the body.
        this.current().bytes += data.length;
        return await traced(null, () => this.decide(this.current()));
      default:
        break;
    }
    this.macros.delete(letter);
    const noAnswer = ANSWERED[letter];
    if (noAnswer === undefined) throw new MilterProtocolError('an unknown step');
    return (this.steps & noAnswer) === 0 ? packetOf(REPLY.continue) : null;
  }

  private negotiate(offer: Buffer): Buffer {
    const { reply, steps } = negotiate(offer);
    this.steps = steps;
    this.forget();
    return reply;
  }

  private begins(began: number, clientAddress: string, clientPort: string): void {
    this.sessions.remove(this.opened);
    this.opened = this.sessions.add(began, clientAddress, clientPort);
  }

  /**
   * The mail server sends a step's macros just before the step. The macros of MAIL contain the login, if there is one.
   */
  private begin(data: Buffer): Message {
    const macro = (name: string) => this.macro(COMMAND.mail, name);
    return {
      login: macro('auth_authen'),
      sender: this.macros.get(COMMAND.mail)?.get('mail_addr') ?? addressIn(data),
      clientAddress: macro('client_addr'),
      clientPort: macro('client_port'),
      recipients: new Map(),
      headers: new MessageHeaders(),
      // The empty line after the header.
      bytes: 2,
    };
  }

  /**
   * Adds a recipient that the mail server accepted. Postfix makes one copy of recipients that it was given with the
   * same text, ORCPT and NOTIFY, in any letter case (cleanup_out_recipient), and a copy for each of all others.
   */
  private addRecipient({ recipients }: Message, data: Buffer): void {
    if (recipients.size === RECIPIENTS_KEPT) return;
    const written = addressIn(data);
    // Only ASCII letters, as in Postfix: other bytes differ.
    const command = data.toString('latin1').replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
    recipients.set(command, this.macro(COMMAND.rcpt, 'rcpt_addr') || written);
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
    const { login, sender, headers } = message;
    const recipients = [...message.recipients.values()];
    const known = headerOf(message);
    // This milter must be the last one, because no later one may refuse a counted message.
    const { reply, added, leaves } =
      'reply' in known
        ? { reply: known.reply, added: [], leaves: false }
        : await this.counter.count({
            ...message,
            ...known,
            recipients,
            host,
            queueId,
            sessionBegan: this.opened.began,
          });
    this.observer.decided({ verdict: verdictOf(reply, login), login, queueId, reason: reply });
    if (reply !== null) return replyPacket(reply);
    if (login === '') return packetOf(REPLY.continue);
    const isReceipt = 'receipt' in known && known.receipt;
    const isMarked = !isReceipt || headers.values('auto-submitted').length > 0;
    const additions = [...(isMarked ? [] : [AUTO_REPLIED]), ...added].map((field) => this.addition(field));
    const changes = sender === '' && leaves ? [changeOfSender(login)] : [];
    return Buffer.concat([...headers.removedFields.map(removal), ...additions, ...changes, packetOf(REPLY.continue)]);
  }

  /** The mail server adds the space after the colon, unless it sends that space with the values too. */
  private addition({ name, value }: HeaderField): Buffer {
    const space = ((this.steps ?? 0) & STEP.blankBeforeValue) === 0 ? '' : ' ';
    return packetOf(REPLY.addHeader, Buffer.from(`${name}\0${space}${value}\0`, 'latin1'));
  }

  private forget(): void {
    this.message = null;
    this.macros.clear();
  }
}

/** Returns what the header says, or the SMTP reply to a message that may not pass. Nothing without a login. */
function headerOf({ login, sender, headers, recipients }: Message) {
  if (login === '') return { claims: [], receipt: false };
  const claimed = claimedAddresses(headers);
  if ('reply' in claimed) return claimed;
  const read = receiptOf(sender, recipients.size, headers);
  return 'reply' in read ? read : { ...claimed, ...read };
}

/** Returns the address of the command MAIL or RCPT as the client wrote it. */
function addressIn(data: Buffer): string {
  return data.toString('utf8', 0, data.indexOf(0)).replace(/^<(.*)>$/, '$1');
}

function verdictOf(reply: string | null, login: string): MilterVerdict {
  if (reply !== null) return reply.startsWith('5') ? 'refused' : 'deferred';
  return login === '' ? 'unauthenticated' : 'accepted';
}

/**
 * Adds a field to the headers, and its received size to the message: name, colon and value, with two bytes for each
 * line end.
 *
 * @param spaces the number of spaces after the colon that the mail server omits: 0 or 1.
 */
function addHeader(message: Message, data: Buffer, spaces: number): void {
  const [name, value] = fieldOf(data);
  let lineFeeds = 0;
  for (let at = value.indexOf(0x0a); at !== -1; at = value.indexOf(0x0a, at + 1)) lineFeeds += 1;
  message.bytes += name.length + 1 + spaces + value.length + lineFeeds + 2;
  // The value may begin with the space after the colon. The check of line lengths excludes that space.
  const hasSpace = spaces === 0 && value[0] === 0x20;
  message.headers.add(name, hasSpace ? value.subarray(1) : value);
}

function replyPacket(reply: string): Buffer {
  // The mail server uses the text as a format string.
  return packetOf(REPLY.replyCode, Buffer.from(`${reply.replaceAll('%', '%%')}\0`, 'latin1'));
}

/** Nothing leaves the platform by the relay without a sender: SES refuses it, and its events name no domain then. */
function changeOfSender(login: string): Buffer {
  return packetOf(REPLY.changeSender, Buffer.from(`<${login.toLowerCase()}>\0`, 'latin1'));
}

function removal({ name, occurrence }: FieldPosition): Buffer {
  const position = Buffer.alloc(4);
  position.writeUInt32BE(occurrence, 0);
  // An empty value removes the field.
  return packetOf(REPLY.changeHeader, Buffer.concat([position, Buffer.from(`${name}\0\0`, 'latin1')]));
}

/** Host name, NUL, the family (`4`, `6`, `L`, `U`), and with an address the port, two bytes, the address, NUL. */
function clientOf(data: Buffer): [address: string, port: string] {
  const family = data.indexOf(0) + 1;
  if (family === 0 || data.length < family + 4) return ['', ''];
  return [data.toString('latin1', family + 3, data.length - 1), String(data.readUInt16BE(family + 1))];
}

function fieldOf(data: Buffer): [name: string, value: Buffer] {
  const middle = data.indexOf(0);
  const end = data.length - 1;
  // Other programs could read the text after a second NUL, which this milter does not check.
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
