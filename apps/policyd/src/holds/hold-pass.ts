import type { FileHandle } from 'node:fs/promises';
import { type DomainStops, type Fate, fateOf } from './fate.js';
import type { Postfix } from './postfix.js';
import { QueueFiles, renew, setMark } from './queue-files.js';
import { type QueuedMessage, readQueuedMessage } from './queued-message.js';

/** Messages that are looked at together: one question to the API, one call of each command. */
const BATCH = 500;
/** A message with some waiting copies is renewed in the last part of its lifetime. */
const LAST_PART = 1 / 5;

/** An instance of Postfix. */
type MailQueue = Pick<Postfix, 'queueDirectory' | 'lifetime' | 'queueLines' | 'hold' | 'release'>;

/** Asks the API about domains. @throws Error when the API does not answer: the pass ends, and nothing changes. */
export type AskStops = (domains: readonly string[]) => Promise<DomainStops>;

/** Waiting mail of one domain. */
export interface Waiting {
  messages: number;
  /** Seconds since 1970. */
  oldest: number;
}

export interface PassResult {
  held: number;
  released: number;
  renewed: number;
  /** Lines of `postqueue -j` that were not understood. */
  unread: number;
  waiting: Map<string, Waiting>;
}

type Judged = QueuedMessage & { fate: Fate };

/**
 * One look at all queued mail of an instance. Mail whose every copy waits because of a suspension is put on hold, where
 * it does not expire; what this program held leaves when that is over, with a new lifetime. Each state of the queue in
 * which a pass may be killed is one that the next pass goes on from.
 */
export class HoldPass {
  private readonly result: PassResult = { held: 0, released: 0, renewed: 0, unread: 0, waiting: new Map() };

  private constructor(
    private readonly postfix: MailQueue,
    private readonly files: QueueFiles,
    private readonly ask: AskStops,
    private readonly isSubmission: boolean,
    private readonly lifetime: number,
  ) {}

  static async run(postfix: MailQueue, ask: AskStops, isSubmission: boolean): Promise<PassResult> {
    const files = new QueueFiles(await postfix.queueDirectory());
    await files.unmarkDeferred();
    const pass = new HoldPass(postfix, files, ask, isSubmission, await postfix.lifetime());
    let batch: QueuedMessage[] = [];
    for await (const line of postfix.queueLines()) {
      const message = readQueuedMessage(line);
      if (message === null) pass.result.unread += 1;
      else batch.push(message);
      if (batch.length < BATCH) continue;
      await pass.treat(batch);
      batch = [];
    }
    await pass.treat(batch);
    return pass.result;
  }

  private async treat(batch: readonly QueuedMessage[]): Promise<void> {
    const stops = await this.ask(domainsOf(batch, this.isSubmission));
    const judged = batch.map((message) => ({ ...message, fate: fateOf(message, stops, this.isSubmission) }));
    const [held, deferred] = [
      judged.filter(({ queue }) => queue === 'hold'),
      judged.filter(({ queue }) => queue === 'deferred'),
    ];
    for (const message of deferred) this.note(message);
    const waits = deferred.filter(({ fate }) => fate.copies === 'all');
    this.result.held += await this.hold(waits);
    const ending = await this.ending(deferred.filter(({ fate }) => fate.copies === 'some'));
    this.result.renewed += await this.hold(ending);
    await this.release(ending);
    this.result.released += await this.release(held.filter(({ fate }) => fate.copies !== 'all'));
    await this.noteHeld(held.filter(({ fate }) => fate.copies === 'all'));
  }

  /** Marks, then holds: a mark without a hold is removed by the next pass, a hold without a mark would be for ever. */
  private async hold(messages: readonly Judged[]): Promise<number> {
    const marked: string[] = [];
    for (const { id } of messages) if (await this.files.mark(id)) marked.push(id);
    await this.postfix.hold(marked);
    return marked.length;
  }

  private async release(messages: readonly Judged[]): Promise<number> {
    const files = new Map<string, FileHandle>();
    try {
      for (const { id } of messages) {
        const file = await this.files.openMarked(id);
        if (file === null) continue;
        files.set(id, file);
        await renew(file, new Date());
      }
      await this.postfix.release([...files.keys()]);
      for (const file of files.values()) await setMark(file, false);
      return files.size;
    } finally {
      await Promise.all([...files.values()].map((file) => file.close()));
    }
  }

  /** Those that Postfix would soon give up. A message that is younger than that needs no look into its file. */
  private async ending(messages: readonly Judged[]): Promise<Judged[]> {
    const before = Date.now() / 1_000 - this.lifetime * (1 - LAST_PART);
    const found: Judged[] = [];
    for (const message of messages) {
      if (message.arrivedAt > before) continue;
      const createdAt = await this.files.createdAt(message.id);
      if (createdAt !== null && createdAt <= before) found.push(message);
    }
    return found;
  }

  private async noteHeld(messages: readonly Judged[]): Promise<void> {
    for (const message of messages) {
      const file = await this.files.openMarked(message.id);
      if (file === null) continue;
      await file.close();
      this.note(message);
    }
  }

  private note({ arrivedAt, fate }: Judged): void {
    for (const domain of fate.domains) {
      const { messages, oldest } = this.result.waiting.get(domain) ?? { messages: 0, oldest: arrivedAt };
      this.result.waiting.set(domain, { messages: messages + 1, oldest: Math.min(oldest, arrivedAt) });
    }
  }
}

function domainsOf(batch: readonly QueuedMessage[], isSubmission: boolean): string[] {
  const domains = new Set<string>();
  for (const { senderDomain, recipientDomains } of batch) {
    for (const domain of [isSubmission ? senderDomain : null, ...recipientDomains]) {
      if (domain !== null) domains.add(domain);
    }
  }
  return [...domains];
}
