import { open, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fatesOf } from './fates.js';
import type { MailRig } from './mail-rig.js';
import { leaks, noticesIn } from './notices.js';
import { until } from './until.js';

/** Addresses in lower case. */
interface Recipient {
  /** As sent by the sender. */
  address: string;
  /** It, and what aliases can make of it. */
  reached: string[];
}

/** A message that the mail servers accepted. */
export interface AcceptedMessage {
  messageId: string;
  hasSender: boolean;
  recipients: Recipient[];
}

/** The outcome of messages, read from Postfix's log, its queue and the stored mail. */
export class MessageFates {
  /** The length of the log that `leaks` has read. */
  private examined = 0;
  /** How many times Postfix left a message of root in the folder `maildrop`. */
  private leftThere = 0;

  constructor(private readonly rig: MailRig) {}

  /**
   * Waits until Postfix took a message that `sendmail` gave to it. While it cannot expand a recipient, the message
   * stays in the folder `maildrop` and is tried again each minute; it is removed, so that it comes in no later case.
   * @returns false when it stayed there.
   */
  async isTaken(messageId: string): Promise<boolean> {
    const taken = await until(`${messageId} to be taken or left`, async () => {
      const log = await this.log();
      if (log.includes(`: message-id=<${messageId}>`)) return 'yes';
      const given = new Set([...log.matchAll(/pickup\[\d+\]: (\w+): uid=/g)].map(([, id]) => id));
      const left = [...log.matchAll(/warning: (\w+): .* -- message not accepted, try again later/g)];
      const count = left.filter(([, id]) => given.has(id)).length;
      if (count === this.leftThere) return null;
      this.leftThere = count;
      const file = await this.inMaildrop(messageId);
      if (file === null) return null;
      await unlink(file);
      return 'no';
    });
    return taken === 'yes';
  }

  /** Waits until the log contains the message. @returns its queue id. */
  async queueId(messageId: string): Promise<string> {
    return await until(`${messageId} in the log`, async () => {
      const found = [...(await this.log()).matchAll(new RegExp(`: (\\w+): message-id=<${messageId}>`, 'g'))];
      return found.at(-1)?.[1];
    });
  }

  /** Returns the number of delivery attempts of a message in the log. */
  async attempts(queueId: string): Promise<number> {
    return fatesOf(await this.log(), queueId).length;
  }

  /** Retries all queued mail, and waits until each of these messages had one more attempt or left the queue. */
  async attemptAll(queueIds: readonly string[]): Promise<void> {
    const before = new Map<string, number>();
    for (const id of queueIds) before.set(id, await this.attempts(id));
    await this.rig.retryQueue();
    await until('every message to be tried', async () => {
      // A queue manager that ends in a reload may have lost the first flush.
      await this.rig.postfix('postqueue', '-f');
      const queue = await this.rig.queue();
      const log = await this.log();
      return queueIds.every((id) => {
        const entry = queue.find(({ queue_id }) => queue_id === id);
        return (
          entry === undefined || (entry.queue_name === 'deferred' && fatesOf(log, id).length > (before.get(id) ?? 0))
        );
      });
    });
  }

  /** Ends the time of all deferred mail, and waits until these messages have left the queue. */
  async expireAll(queueIds: readonly string[]): Promise<void> {
    await this.rig.postfix('postsuper', '-e', 'ALL', 'deferred');
    await until('the queue to expire', async () => {
      await this.rig.postfix('postqueue', '-f');
      const queue = await this.rig.queue();
      return queue.every(({ queue_id }) => !queueIds.includes(queue_id));
    });
  }

  /** Returns the `leaks` of the notices that Postfix made since the last call. */
  async leaks(): Promise<string[]> {
    const log = await this.log();
    const found = leaks(noticesIn(log.slice(this.examined)));
    this.examined = log.length;
    return found;
  }

  /**
   * Returns a sentence for each recipient that was not delivered, not bounced with a notice, and is not in the queue.
   */
  async losses(message: AcceptedMessage): Promise<string[]> {
    const id = await this.queueId(message.messageId);
    const log = await this.log();
    const waiting = (await this.rig.queue()).find(({ queue_id }) => queue_id === id);
    const fates = fatesOf(log, id);
    const isExpired = new RegExp(`: ${id}: from=<.*, status=force-expired, returned to sender`).test(log);
    const problems: string[] = [];
    for (const { address, reached } of message.recipients) {
      // Postfix logs a route as its destination address.
      const isPlain = /^[a-z0-9]+@/.test(address);
      const named = isPlain ? fates.filter(({ original }) => original === address) : fates;
      // Postfix delivers once to an address that it reaches by two recipients, and names one of them.
      const own = named.length > 0 ? named : fates.filter(({ to }) => reached.includes(to));
      const isUndecided = waiting === undefined && !isExpired && own.every(({ status }) => status === 'deferred');
      if (own.length === 0 || isUndecided) {
        problems.push(`${message.messageId} (${id}) to ${address} is neither delivered, bounced nor in the queue`);
      }
    }
    if (waiting === undefined && !new RegExp(`: ${id}: removed`).test(log)) {
      problems.push(`${message.messageId} (${id}) is not in the queue, and was not removed from it`);
    }
    const isBounced = isExpired || fates.some(({ status }) => status === 'bounced');
    if (isBounced && message.hasSender && !new RegExp(`: ${id}: sender non-delivery notification`).test(log)) {
      problems.push(`${message.messageId} (${id}) was bounced, and its sender was not told`);
    }
    // A mailbox stores one of the copies that have the same recipient.
    const saved = fates.filter(({ line }) => line.includes('Saved'));
    const recipients = new Set(saved.map(({ line }) => / to=<(.+?)>, /.exec(line)?.[1]?.toLowerCase()));
    const stored = await this.stored(message.messageId);
    if (recipients.size !== stored) {
      problems.push(
        `${message.messageId} (${id}) has ${recipients.size} recipients here, and is stored ${stored} times`,
      );
    }
    return problems;
  }

  private async inMaildrop(messageId: string): Promise<string | null> {
    const folder = join(this.rig.folder, 'queue/maildrop');
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if ((await beginOf(path)).includes(`Message-ID: <${messageId}>`)) return path;
    }
    return null;
  }

  private async log(): Promise<string> {
    return await readFile(join(this.rig.folder, 'postfix.log'), 'utf8');
  }

  private async stored(messageId: string): Promise<number> {
    let count = 0;
    const root = this.rig.settings.mail.root;
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /\/(new|cur)$/.test(entry.parentPath)) {
        // A bounce contains the header of the returned message after its own header.
        count += (await headerOf(join(entry.parentPath, entry.name))).includes(`Message-ID: <${messageId}>`) ? 1 : 0;
      }
    }
    return count;
  }
}

/** Returns the header of a stored message. */
async function headerOf(path: string): Promise<string> {
  const text = await beginOf(path);
  return text.slice(0, text.indexOf('\n\n'));
}

/** Returns the first bytes of a file. Reads no more, because a message may be large. */
async function beginOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
