import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import { MailStore, type PurgeCounts, type StoredMailbox } from '@mailstead/core/retention/mail-store';
import { MaildirStore } from '../maildir/maildir-store.js';
import { type DoveadmRequest, readDoveadmAnswer } from './doveadm-answer.js';
import { type DoveadmEndpoint, postDoveadm } from './post-doveadm.js';

export interface DovecotStoreOptions extends DoveadmEndpoint {
  /** The most one command for one domain takes; 10 minutes by default. */
  timeoutMs?: number;
  /** The folder of all homes, where this process can reach it; null leaves the homes of deleted mailboxes. */
  root?: string | null;
}

const DEFAULT_TIMEOUT_MS = 10 * 60_000;

/**
 * Stored mail behind Dovecot 2.3, removed by its doveadm HTTP API: one command for all mailboxes of a domain, so that the
 * cost is Dovecot's own. By `savedbefore`, because `before` would remove an imported archive at once.
 */
export class DovecotStore extends MailStore {
  private readonly homes: MaildirStore | null;

  constructor(private readonly options: DovecotStoreOptions) {
    super();
    const { root = null } = options;
    this.homes = root === null ? null : new MaildirStore({ root });
  }

  /** Dovecot knows the domain's mailboxes itself, so `mailboxes` is not read. */
  override async purge(
    domain: DomainName,
    _mailboxes: AsyncIterable<StoredMailbox[]>,
    savedBefore: Date,
    dryRun: boolean,
  ): Promise<PurgeCounts> {
    const counts: PurgeCounts = { messages: 0, bytes: 0 };
    const expired = { user: `*@${domain}`, query: ['mailbox', '*', 'savedbefore', unixTime(savedBefore)] };
    // `expunge` does not say what it removed, so it is counted just before.
    await this.run({ command: 'fetch', parameters: { ...expired, field: ['size.physical'] } }, (bytes) => {
      counts.messages += 1;
      counts.bytes += bytes;
    });
    if (!dryRun && counts.messages > 0) await this.run({ command: 'expunge', parameters: expired }, () => {});
    return counts;
  }

  /** Dovecot does not know a deleted user any more, so this happens on the file system. */
  override async removeHome(mailbox: StoredMailbox): Promise<PurgeCounts> {
    if (this.homes !== null) return this.homes.removeHome(mailbox);
    throw new AppError('mail_store_unavailable', {
      detail: `The stored mail of ${mailbox.email} is left: MAILDIR_ROOT does not say where the homes are`,
    });
  }

  private async run(request: DoveadmRequest, onMessage: (bytes: number) => void): Promise<void> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await postDoveadm(this.options, request, timeoutMs, signal);
      const failure = await readDoveadmAnswer(answer.statusCode, answer.body, onMessage);
      if (failure !== null) throw unavailable(request, failure);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw unavailable(request, signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error), error);
    }
  }
}

/** Whole seconds, rounded down, so that nothing is removed early. Dovecot drops the connection on any other text. */
function unixTime(instant: Date): string {
  const seconds = Math.floor(instant.getTime() / 1_000);
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError(`${seconds} is not a Unix time`);
  return String(seconds);
}

function unavailable({ command }: DoveadmRequest, reason: string, cause?: unknown): AppError {
  return new AppError('mail_store_unavailable', { detail: `Dovecot did not carry out ${command}: ${reason}`, cause });
}

function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
