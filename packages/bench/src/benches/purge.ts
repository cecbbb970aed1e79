import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MaildirStore } from '@mailstead/adapters/maildir/maildir-store';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Address } from '@mailstead/core/mailboxes/address';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';
import type { Report } from '../report.js';

const MAILBOXES = 20;
const FILES = 200_000;

interface Store {
  root: string;
  mailboxes: StoredMailbox[];
  /** The older half of the files was saved before this time. */
  middle: Date;
}

/** A purge of 200,000 messages, half of them expired, compared with `find -delete` on an equal folder. */
export async function purge(report: Report): Promise<void> {
  const stores = [await makeStore(), await makeStore()] as const;
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  const [ours, its] = stores;
  const started = performance.now();
  const counts = await new MaildirStore({ root: ours.root }).purge(
    'bench.example' as DomainName,
    once(ours.mailboxes),
    ours.middle,
    false,
  );
  const purgeMs = performance.now() - started;
  clearInterval(watch);
  const foundAt = performance.now();
  await promisify(execFile)('find', [its.root, '-type', 'f', '!', '-newerct', its.middle.toISOString(), '-delete']);
  const findMs = performance.now() - foundAt;
  const growthMb = (peak - before) / 1_048_576;
  report.note(
    `purge of ${FILES} files, half expired`,
    `${counts.messages} removed in ${Math.round(purgeMs)} ms, × ${(purgeMs / findMs).toFixed(1)} of find -delete; + ${Math.round(growthMb)} MB`,
    '≤ × 3, memory flat (< 30 MB)',
    purgeMs / findMs <= 3 && growthMb < 30 && counts.messages === FILES / 2,
  );
  for (const { root } of stores) await rm(root, { recursive: true });
}

async function makeStore(): Promise<Store> {
  const root = await mkdtemp(join(tmpdir(), 'mailstead-purge-'));
  const mailboxes = Array.from({ length: MAILBOXES }, (_, index) => ({
    email: `m${index}@bench.example` as Address,
    home: randomBytes(16).toString('hex'),
  }));
  const fill = async (half: string): Promise<void> => {
    for (const { home } of mailboxes) {
      const folder = join(root, home.slice(0, 2), home, 'Maildir', 'cur');
      await mkdir(folder, { recursive: true });
      const each = FILES / MAILBOXES / 2;
      for (let start = 0; start < each; start += 500) {
        await Promise.all(
          Array.from({ length: 500 }, (_, index) =>
            writeFile(join(folder, `${start + index}.${half}.bench:2,S`), 'Subject: a\n\nb\n'),
          ),
        );
      }
    }
  };
  await fill('old');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const middle = new Date();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await fill('new');
  return { root, mailboxes, middle };
}

async function* once(mailboxes: StoredMailbox[]): AsyncGenerator<StoredMailbox[]> {
  yield mailboxes;
}
