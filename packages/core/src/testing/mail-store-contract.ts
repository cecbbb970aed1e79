import { HOUR_MS } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { MailStore, StoredMailbox } from '../retention/mail-store.js';

/** A store under test, and the power to put mail into it. Mail is saved by the store's own clock. */
export interface MailStoreFixture {
  store: MailStore;
  /** Saves one message; `folder` is empty for the INBOX, else like `Archive.2025`. */
  save(mailbox: StoredMailbox, folder: string, bytes: number): Promise<void>;
  /** How many messages the mailbox has, in all folders. */
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

/** What every `MailStore` keeps. As the time of saving cannot be set back, "old" is before a time to come. */
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

    test('a purge removes what was saved before, in every folder of the domain, and nothing of another', async () => {
      expect(await purge(later())).toEqual({ messages: 3, bytes: 137 });
      expect(await counts()).toEqual([0, 0, 1]);
    });

    test('a purge keeps what was saved since', async () => {
      expect(await purge(new Date(Date.now() - HOUR_MS))).toEqual({ messages: 0, bytes: 0 });
      expect(await counts()).toEqual([2, 1, 1]);
    });

    test('a dry run counts the same and removes nothing', async () => {
      expect(await purge(later(), true)).toEqual({ messages: 3, bytes: 137 });
      expect(await counts()).toEqual([2, 1, 1]);
    });

    test('a purge that is repeated finds nothing more', async () => {
      await purge(later());
      expect(await purge(later())).toEqual({ messages: 0, bytes: 0 });
    });
  });
}
