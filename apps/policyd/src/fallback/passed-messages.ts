import type { Count } from '../outbound-api.js';

/** A message that passed while the API was unavailable. */
export interface PassedMessage extends Count {
  /** Milliseconds since 1970. */
  at: number;
}

/** Returns the mailbox that logged in, or `@domain` for a message that the domain's aliases forward. */
export function chargedTo({ sender, domain }: Pick<Count, 'sender' | 'domain'>): string {
  return sender ?? `@${domain}`;
}

/** Returns the number of recipients; an alias of unknown destinations is 1. The API counts the destinations later. */
export function recipientsIn({ count = 0, recipients }: Pick<Count, 'count' | 'recipients'>): number {
  return Math.max(count, recipients.length);
}

const HOUR_MS = 3_600_000;

/** The messages that passed in the last hour or are not counted yet, indexed by id and by sender. */
export class PassedMessages {
  private readonly ids = new Set<string>();
  private readonly bySender = new Map<string, PassedMessage[]>();
  /** Counted messages of the last hour, the oldest first. */
  private readonly counted: PassedMessage[] = [];

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(message: PassedMessage): void {
    this.ids.add(message.id);
  }

  /** Adds the recipients to the sender's number before the message is written to the disk. */
  charge(message: PassedMessage): void {
    const own = this.bySender.get(chargedTo(message));
    if (own === undefined) this.bySender.set(chargedTo(message), [message]);
    else own.push(message);
  }

  uncharge(message: PassedMessage): void {
    const sender = chargedTo(message);
    this.keep(
      sender,
      (this.bySender.get(sender) ?? []).filter((each) => each !== message),
    );
  }

  /** Returns the number of recipients of a mailbox, or of a domain's aliases, in the hour before `now`. */
  recipientsOf(sender: string, now: number): number {
    const own = (this.bySender.get(sender) ?? []).filter(({ at }) => at > now - HOUR_MS);
    this.keep(sender, own);
    return own.reduce((sum, message) => sum + recipientsIn(message), 0);
  }

  /** Marks messages as counted; each is removed an hour after it passed. */
  release(messages: readonly PassedMessage[], now: number): void {
    this.counted.push(...messages);
    const going = this.counted.findIndex(({ at }) => at > now - HOUR_MS);
    for (const message of this.counted.splice(0, going === -1 ? this.counted.length : going)) {
      this.ids.delete(message.id);
      this.uncharge(message);
    }
  }

  private keep(sender: string, messages: PassedMessage[]): void {
    if (messages.length === 0) this.bySender.delete(sender);
    else this.bySender.set(sender, messages);
  }
}
