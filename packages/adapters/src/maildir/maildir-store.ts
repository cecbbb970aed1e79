import { rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';
import { MailStore, type PurgeCounts } from '@mailstead/core/retention/mail-store';
import { isDirectory, isMissing, type MessageFile, walkMaildir } from './maildir-walk.js';

export interface MaildirStoreOptions {
  /** The folder that contains the homes, `<root>/<first 2 hex digits>/<32 hex digits>/Maildir` (`MAILDIR_ROOT`). */
  root: string;
  /** The most mailboxes that are purged at once; 4 by default. */
  concurrency?: number;
}

const HOME = /^[0-9a-f]{32}$/;

/**
 * Removes stored mail on this machine's file system, without the mail server; Dovecot detects the removed files. When a
 * mailbox cannot be purged, the others still are, and the first failure is thrown at the end.
 */
export class MaildirStore extends MailStore {
  private readonly root: string;
  private readonly concurrency: number;

  constructor({ root, concurrency = 4 }: MaildirStoreOptions) {
    super();
    this.root = root;
    this.concurrency = concurrency;
  }

  override async purge(
    _domain: DomainName,
    mailboxes: AsyncIterable<StoredMailbox[]>,
    savedBefore: Date,
    dryRun: boolean,
  ): Promise<PurgeCounts> {
    await this.assertRoot();
    const counts: PurgeCounts = { messages: 0, bytes: 0 };
    const failures: unknown[] = [];
    for await (const chunk of mailboxes) {
      const waiting = chunk.values();
      const purgeWaiting = async (): Promise<void> => {
        for (const mailbox of waiting) {
          await this.purgeMailbox(mailbox, savedBefore, dryRun, counts).catch((error: unknown) => failures.push(error));
        }
      };
      await Promise.all(Array.from({ length: this.concurrency }, purgeWaiting));
    }
    const [failure] = failures;
    if (failure !== undefined) throw unavailable(failure);
    return counts;
  }

  override async removeHome(mailbox: StoredMailbox): Promise<PurgeCounts> {
    await this.assertRoot();
    const counts: PurgeCounts = { messages: 0, bytes: 0 };
    try {
      const home = await this.homeOf(mailbox);
      if (home === null) return counts;
      await walkMaildir(join(home, 'Maildir'), (file) => removeMessage(file, counts));
      // Only indexes and empty folders are left. `rm` removes symbolic links, but not their targets.
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      throw unavailable(error);
    }
    return counts;
  }

  private async purgeMailbox(
    mailbox: StoredMailbox,
    savedBefore: Date,
    dryRun: boolean,
    counts: PurgeCounts,
  ): Promise<void> {
    const home = await this.homeOf(mailbox);
    if (home === null) return;
    await walkMaildir(join(home, 'Maildir'), async (file) => {
      if (file.savedAt >= savedBefore.getTime()) return;
      if (dryRun) count(file, counts);
      else await removeMessage(file, counts);
    });
  }

  /**
   * Never follows a symbolic link, so the home is always below the root.
   *
   * @returns null when the mailbox has no home
   * @throws AppError mail_store_unavailable when the name of the home is not 32 hex digits
   */
  private async homeOf({ email, home }: StoredMailbox): Promise<string | null> {
    if (!HOME.test(home)) {
      throw new AppError('mail_store_unavailable', {
        detail: `The home of ${email} is not 32 hex digits; nothing is removed`,
      });
    }
    const parent = join(this.root, home.slice(0, 2));
    const path = join(parent, home);
    return (await isDirectory(parent)) && (await isDirectory(path)) ? path : null;
  }

  /**
   * @throws AppError mail_store_unavailable when the root is not a folder: an unmounted volume is not an empty store
   */
  private async assertRoot(): Promise<void> {
    if (await isDirectory(join(this.root, '/')).catch(() => false)) return;
    throw new AppError('mail_store_unavailable', { detail: `The mail folder ${this.root} cannot be read` });
  }
}

async function removeMessage(file: MessageFile, counts: PurgeCounts): Promise<void> {
  try {
    await unlink(file.path);
    count(file, counts);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function count({ bytes }: MessageFile, counts: PurgeCounts): void {
  counts.messages += 1;
  counts.bytes += bytes;
}

function unavailable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = typeof error === 'object' && error !== null && 'code' in error ? error.code : error;
  return new AppError('mail_store_unavailable', {
    detail: `Stored mail could not be removed (${String(reason)}); try again`,
    cause: error,
  });
}
