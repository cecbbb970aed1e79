import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';
import { MailStore, type PurgeCounts } from '@mailstead/core/retention/mail-store';
import { MaildirStore } from '../maildir/maildir-store.js';
import { type DoveadmRequest, readDoveadmAnswer } from './doveadm-answer.js';
import { type DoveadmEndpoint, postDoveadm } from './post-doveadm.js';

export interface DovecotStoreOptions extends DoveadmEndpoint {
  /** The time limit of one command for one domain, milliseconds; 10 minutes by default. */
  timeoutMs?: number;
  /** The folder that contains the mailbox homes. With null, homes of deleted mailboxes cannot be removed. */
  root?: string | null;
}

const DEFAULT_TIMEOUT_MS = 10 * 60_000;
const MESSAGE_SIZE = /"size\.physical":"(\d+)"/g;

/**
 * Removes stored mail through the doveadm HTTP API of Dovecot 2.3. One command purges all mailboxes of a domain. It
 * selects by `savedbefore`, because `before` compares the date of the message and would remove newly imported old mail
 * at once.
 */
export class DovecotStore extends MailStore {
  private readonly homes: MaildirStore | null;

  constructor(private readonly options: DovecotStoreOptions) {
    super();
    const { root = null } = options;
    this.homes = root === null ? null : new MaildirStore({ root });
  }

  /** Does not read `mailboxes`: Dovecot finds the mailboxes of a domain itself. */
  override async purge(
    domain: DomainName,
    _mailboxes: AsyncIterable<StoredMailbox[]>,
    savedBefore: Date,
    dryRun: boolean,
  ): Promise<PurgeCounts> {
    const counts: PurgeCounts = { messages: 0, bytes: 0 };
    const expired = { user: `*@${domain}`, query: ['mailbox', '*', 'savedbefore', unixTime(savedBefore)] };
    // `expunge` does not return the number of removed messages, so a `fetch` counts them first.
    await this.run({ command: 'fetch', parameters: { ...expired, field: ['size.physical'] } }, (bytes) => {
      counts.messages += 1;
      counts.bytes += bytes;
    });
    if (!dryRun && counts.messages > 0) await this.run({ command: 'expunge', parameters: expired }, () => {});
    return counts;
  }

  /** Removes the files directly, because Dovecot's user look-up fails for a deleted mailbox. */
  override async removeHome(mailbox: StoredMailbox): Promise<PurgeCounts> {
    if (this.homes !== null) return this.homes.removeHome(mailbox);
    throw new AppError('mail_store_unavailable', {
      detail: `The stored mail of ${mailbox.email} is not removed: MAILDIR_ROOT is not set`,
    });
  }

  private async run(request: DoveadmRequest, onMessage: (bytes: number) => void): Promise<void> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await postDoveadm(this.options, [request], timeoutMs, signal);
      const failure = await readDoveadmAnswer(response.statusCode, response.body, MESSAGE_SIZE, (size) =>
        onMessage(Number(size)),
      );
      if (failure !== null) throw unavailable(request, failure);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw unavailable(request, signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error), error);
    }
  }
}

/**
 * Rounds down to whole seconds, so that no mail is removed early. Dovecot closes the connection for any other format.
 */
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
