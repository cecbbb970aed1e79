import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';

/** A temporary folder of mailbox homes, in the layout of Dovecot. */
export class ScratchMaildir {
  private saved = 0;
  private readonly made = new Set<string>();

  private constructor(readonly root: string) {}

  static async create(): Promise<ScratchMaildir> {
    return new ScratchMaildir(await mkdtemp(join(tmpdir(), 'mailstead-maildir-')));
  }

  homeOf({ home }: StoredMailbox): string {
    return join(this.root, home.slice(0, 2), home);
  }

  /**
   * Saves a message with an mtime of 1970.
   *
   * @param folder empty for the INBOX
   * @returns the path of the file
   */
  async save(mailbox: StoredMailbox, folder: string, bytes: number, part: 'cur' | 'new' = 'cur'): Promise<string> {
    const maildir = join(this.homeOf(mailbox), 'Maildir', folder === '' ? '' : `.${folder}`);
    await this.make(maildir);
    this.saved += 1;
    const path = join(maildir, part, `1.M${this.saved}.host,S=${bytes}:2,S`);
    await writeFile(path, 'x'.repeat(bytes));
    await utimes(path, new Date(0), new Date(0));
    return path;
  }

  private async make(maildir: string): Promise<void> {
    if (this.made.has(maildir)) return;
    for (const name of ['cur', 'new', 'tmp']) await mkdir(join(maildir, name), { recursive: true });
    this.made.add(maildir);
  }

  async count(mailbox: StoredMailbox): Promise<number> {
    const entries = await readdir(this.homeOf(mailbox), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile() && /\/(cur|new)$/.test(entry.parentPath)).length;
  }

  async close(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
