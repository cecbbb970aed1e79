import { NewestEntries } from '../newest-entries.js';
import { AMBIGUOUS, type Attempt, type PostfixEvent, type Refused, readPostfixEvent } from './postfix-event.js';
import { distinctTime, type PostfixLine, readPostfixLine } from './postfix-line.js';
import { withoutSrs } from './srs-sender.js';

/** One step, as `POST /outbound/trail` takes it. */
export interface TrailItem {
  host: string;
  queue_id: string | null;
  at: string;
  step: 'accepted' | 'deferred' | 'refused' | 'stored' | 'forwarded' | 'relayed' | 'bounced';
  direction: 'out' | 'in';
  domain: string;
  sender: string;
  recipient: string;
  size: number | null;
  message_id: string | null;
  reason: string | null;
  detail: string | null;
}

const MAX_ADDRESS = 320;
const MAX_DETAIL = 128;
/** Copies of a message whose end is told when it expires. */
const MAX_WAITING = 100;

/** A copy that is tried again later. */
interface Waiting {
  recipient: string;
  directions: TrailItem['direction'][];
}

interface InFlight {
  /** The time of its first line; null when that was not read. */
  begunAt: Date | null;
  /** The number of the part of the log in which it began. */
  part: number;
  sender: string | null;
  size: number | null;
  messageId: string | null;
  /** Attempts that are still to come. */
  awaited: number;
  /** By recipient, and what an alias made of it. */
  waiting: Map<string, Waiting>;
}

/**
 * Makes steps of the lines of both instances. It knows the messages whose recipients have not all been tried, and
 * those that wait; beyond `most` it forgets the oldest, whose steps then lack what was said before. Messages that are
 * not in the queue yet are counted apart: no line tells when a client gives one up, and it can give up any number.
 */
export class MessagesInFlight {
  private readonly messages: NewestEntries<InFlight>;
  private readonly unqueued: NewestEntries<InFlight>;
  /** Lines that have two readings. */
  ambiguous = 0;

  constructor(
    private readonly host: string,
    private readonly srsDomain: string | null = null,
    most = 20_000,
  ) {
    this.messages = new NewestEntries(most);
    this.unqueued = new NewestEntries(most);
  }

  get size(): number {
    return this.messages.size + this.unqueued.size;
  }

  /** The earliest part in which a message began that was not tried yet; null without one. */
  oldestUntried(): number | null {
    let oldest: number | null = null;
    for (const messages of [this.messages, this.unqueued]) {
      for (const { awaited, part } of messages.values()) {
        if (awaited > 0 && (oldest === null || part < oldest)) oldest = part;
      }
    }
    return oldest;
  }

  /** @param part the number of the part of the log that has the line */
  read(line: string, now: Date, part = 0): TrailItem[] {
    const found = readPostfixLine(line, now);
    if (found === null) return [];
    const event = readPostfixEvent(found.program, found.text);
    if (event === AMBIGUOUS) {
      this.ambiguous += 1;
      return [];
    }
    if (event === null) return [];
    return event.kind === 'refused' ? this.refused(found, event, line) : this.next(found, event, part);
  }

  private next(line: PostfixLine, event: Exclude<PostfixEvent, Refused>, part: number): TrailItem[] {
    const key = `${line.instance} ${event.queueId}`;
    const { at } = line;
    switch (event.kind) {
      case 'begun':
        this.add(key, newMessage(at, part), this.unqueued);
        return [];
      case 'named': {
        // A notice of Postfix itself begins here.
        const message = this.find(key) ?? this.add(key, newMessage(at, part), this.unqueued);
        message.messageId ??= event.messageId;
        return [];
      }
      case 'queued': {
        const message = this.messages.get(key) ?? this.queue(key, part);
        message.sender = withoutSrs(event.sender, this.srsDomain);
        message.size = event.size;
        // Of a message whose beginning is not known, nothing is lost when the log is read from here on.
        message.awaited = message.begunAt === null ? 0 : Math.max(message.awaited, event.recipients);
        return [];
      }
      case 'attempt':
        return this.attempt(line, event, this.find(key));
      case 'expired':
        return this.expired(line, event.queueId, this.find(key));
      case 'removed':
        this.forget(key);
        return [];
    }
  }

  private find(key: string): InFlight | undefined {
    return this.messages.get(key) ?? this.unqueued.get(key);
  }

  private queue(key: string, part: number): InFlight {
    return this.add(key, this.unqueued.get(key) ?? newMessage(null, part), this.messages);
  }

  private add(key: string, message: InFlight, to: Map<string, InFlight>): InFlight {
    this.forget(key);
    to.set(key, message);
    return message;
  }

  private forget(key: string): void {
    this.messages.delete(key);
    this.unqueued.delete(key);
  }

  private attempt(line: PostfixLine, event: Attempt, message: InFlight | undefined): TrailItem[] {
    // Without its sender nobody knows whose it is.
    if (message === undefined || message.sender === null) return [];
    const { recipient, status, madeByAlias } = event;
    const detail = madeByAlias === null ? event.answer : `to ${madeByAlias}: ${event.answer}`;
    if (message.awaited > 0) message.awaited -= 1;
    const directions = this.directionsOf(line, message.sender, event);
    const copy = `${recipient} ${madeByAlias ?? ''}`;
    if (status !== 'deferred') message.waiting.delete(copy);
    else if (message.waiting.size < MAX_WAITING) message.waiting.set(copy, { recipient, directions });
    return directions.flatMap((direction) => {
      const step = stepOf(line, event, direction);
      const reason = status === 'sent' ? null : event.dsn;
      const shown = this.item(event.queueId, line.at, step, direction, message, recipient, reason, detail);
      if (message.begunAt === null) return shown;
      return [
        ...this.item(event.queueId, message.begunAt, 'accepted', direction, message, recipient, null, null),
        ...shown,
      ];
    });
  }

  /**
   * Mail of a user is sent, and also received when it is delivered here. An alias here received what it sends on.
   * A notice has no sender.
   */
  private directionsOf(
    { instance, program }: PostfixLine,
    sender: string,
    { madeByAlias }: Attempt,
  ): TrailItem['direction'][] {
    if (instance === 'mx') return ['in'];
    const isReceived = program === 'lmtp' || madeByAlias !== null;
    return [...(sender === '' ? [] : (['out'] as const)), ...(isReceived ? (['in'] as const) : [])];
  }

  private expired({ at }: PostfixLine, queueId: string, message: InFlight | undefined): TrailItem[] {
    if (message === undefined || message.sender === null) return [];
    return [...message.waiting.values()].flatMap(({ recipient, directions }) =>
      directions.flatMap((direction) =>
        this.item(queueId, at, 'bounced', direction, message, recipient, 'expired', null),
      ),
    );
  }

  private refused({ at, instance }: PostfixLine, event: Refused, line: string): TrailItem[] {
    const { queueId, sender, recipient, reason, text } = event;
    const direction = instance === 'mx' ? 'in' : 'out';
    const when = queueId === null ? distinctTime(at, line) : at;
    const from = { sender: withoutSrs(sender, this.srsDomain) };
    return this.item(queueId, when, 'refused', direction, from, recipient, reason, text);
  }

  private item(
    queueId: string | null,
    at: Date,
    step: TrailItem['step'],
    direction: TrailItem['direction'],
    message: Pick<InFlight, 'sender'> & Partial<InFlight>,
    recipient: string,
    reason: string | null,
    detail: string | null,
  ): TrailItem[] {
    const sender = message.sender ?? '';
    const domain = domainOf(direction === 'out' ? sender : recipient);
    if (domain === '' || sender.length > MAX_ADDRESS || recipient.length > MAX_ADDRESS) return [];
    const { size = null, messageId = null } = message;
    const item: TrailItem = {
      host: this.host,
      queue_id: queueId,
      at: at.toISOString(),
      step,
      direction,
      domain: plain(domain),
      sender: plain(sender),
      recipient: plain(recipient),
      size,
      message_id: messageId === null ? null : plain(messageId),
      reason,
      detail: detail === null || detail === '' ? null : plain(detail).slice(0, MAX_DETAIL),
    };
    return [item];
  }
}

/** @param begunAt null when its first line was not read */
function newMessage(begunAt: Date | null, part: number): InFlight {
  return {
    begunAt,
    part,
    sender: null,
    size: null,
    messageId: null,
    awaited: begunAt === null ? 0 : 1,
    waiting: new Map(),
  };
}

function stepOf(
  { instance, program }: PostfixLine,
  { status }: Attempt,
  direction: TrailItem['direction'],
): TrailItem['step'] {
  if (status !== 'sent') return status;
  if (program === 'lmtp') return 'stored';
  return instance === 'mx' || direction === 'in' ? 'forwarded' : 'relayed';
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** The log is not always UTF-8, and the API takes no control characters. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
