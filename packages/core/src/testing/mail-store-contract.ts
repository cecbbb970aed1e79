import { HOUR_MS } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { StoredMailbox } from '../mailboxes/stored-mailbox.js';
import type { MailStore } from '../retention/mail-store.js';

/** A store under test, and a method to save mail in it. The store sets the time of saving by its own clock. */
export interface MailStoreFixture {
  store: MailStore;
  /** Saves one message; `folder` is empty for the INBOX, otherwise for example `Archive.2025`. */
  save(mailbox: StoredMailbox, folder: string, bytes: number): Promise<void>;
  /** The number of messages of the mailbox in all folders. */
  count(mailbox: StoredMailbox): Promise<number>;
  close(): Promise<void>;
}

const DOMAIN = 'example.com' as DomainName;
const ALICE: StoredMailbox = { email: 'alice@example.com', home: 'a'.repeat(32) };
const BOB: StoredMailbox = { email: 'bob@example.com', home: 'b'.repeat(32) };
const NEVER_USED: StoredMailbox = { email: 'new@example.com', home: 'c'.repeat(32) };
const CAROL: StoredMailbox = { email: 'carol@sub.example.com', home: 'd'.repeat(32) };

async function* inChunks(...chunks: StoredMailbox[][]): AsyncIterable<StoredMailbox[]> {
  yield* chunks;
}

/**
 * The guarantees of every `MailStore`. A test cannot set the time of saving back, so old mail is mail saved before a
 * time in the future.
 */
export function mailStoreContract(open: () => Promise<MailStoreFixture>): void {
  describe('the contract of a mail store', () => {
    let fixture: MailStoreFixture;

    beforeEach(async () => {
      fixture = await open();
      await fixture.save(ALICE, '', 100);
      await fixture.save(ALICE, 'Archive.2025', 30);
      await fixture.save(BOB, '', 7);
      await fixture.save(CAROL, '', 1_000);
    });
    afterEach(() => fixture.close());

    const purge = (savedBefore: Date, dryRun = false) =>
      fixture.store.purge(DOMAIN, inChunks([ALICE, NEVER_USED], [BOB]), savedBefore, dryRun);
    const later = () => new Date(Date.now() + HOUR_MS);
    const counts = () => Promise.all([ALICE, BOB, CAROL].map((mailbox) => fixture.count(mailbox)));

    test('a purge removes the mail saved before the given time, in every folder of the domain, and nothing of another domain', async () => {
      expect(await purge(later())).toEqual({ messages: 3, bytes: 137 });
      expect(await counts()).toEqual([0, 0, 1]);
    });

    test('a purge keeps the mail saved after the given time', async () => {
      expect(await purge(new Date(Date.now() - HOUR_MS))).toEqual({ messages: 0, bytes: 0 });
      expect(await counts()).toEqual([2, 1, 1]);
    });

    test('a dry run returns the same counts and removes nothing', async () => {
      expect(await purge(later(), true)).toEqual({ messages: 3, bytes: 137 });
      expect(await counts()).toEqual([2, 1, 1]);
    });

    test('a repeated purge removes nothing', async () => {
      await purge(later());
      expect(await purge(later())).toEqual({ messages: 0, bytes: 0 });
    });
  });
}
