import { countsAs, parseRecipient, type RecipientFacts } from '@mailstead/core/outbound/recipients';
import fc from '../../../../../scripts/fast-check.mjs';
import { correctDerived } from '../derived/correct-derived.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { RecipientReads } from './recipient-statements.js';

const DOMAINS = ['one.example', 'two.example', 'three.example'];
const LOCAL_PARTS = ['a', 'b', ''];
const ADDRESSES = DOMAINS.flatMap((domain) => LOCAL_PARTS.map((local) => `${local}@${domain}`));
const MAILBOXES = DOMAINS.map((domain) => `box@${domain}`);
const OUTSIDE = ['x@out.example', 'y@out.example'];
const ASKED = [...ADDRESSES, ...MAILBOXES, ...OUTSIDE, 'unknown@one.example', 'A+b@Two.Example'];

const platform = fc.record({
  open: fc.subarray(DOMAINS),
  /** The domains that a batch assumes to be open. */
  assumed: fc.subarray([...DOMAINS, 'out.example']),
  mailboxes: fc.subarray(MAILBOXES),
  forwarding: fc.constantFrom('on', 'off'),
  aliases: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom(...ADDRESSES),
      fc.constantFrom(...ADDRESSES.filter((each) => !each.startsWith('@')), ...MAILBOXES, ...OUTSIDE),
    ),
    {
      selector: (pair) => pair.join(' '),
      maxLength: 12,
    },
  ),
  /** Whether a destination that is a mailbox already was one when its alias was created. */
  isKnown: fc.boolean(),
});

/** Only on MariaDB, because mail servers do not read the embedded database. */
describe('what recipients count as', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    await opened.database.write("INSERT INTO partner (ref, domain_count, last_created_at) VALUES ('p', 3, 0)");
  });
  afterAll(() => opened.close());

  async function set(drawn: typeof platform extends fc.Arbitrary<infer Value> ? Value : never): Promise<void> {
    const { database } = opened;
    for (const table of ['alias', 'mailbox', 'verification', 'domain'])
      await database.write(`DELETE FROM ${table}`, [], []);
    await database.write("DELETE FROM installation WHERE name = 'forwarding'");
    await database.write("INSERT INTO installation (name, value) VALUES ('forwarding', ?)", [drawn.forwarding]);
    const ids = new Map<string, number>();
    for (const name of DOMAINS) {
      const { insertId } = await database.write(
        `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
         VALUES (?, 2, 0, 0, 0, 0, '', 'active', 'none', ?, 0, 0)`,
        [name, drawn.open.includes(name) ? 'open' : 'pending'],
      );
      ids.set(name, insertId);
      await database.write(
        `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
         VALUES (?, 'verified', '', 0, 't', 0)`,
        [insertId],
      );
    }
    const domainOf = (address: string) => ids.get(address.slice(address.indexOf('@') + 1)) ?? 0;
    const mailboxIds = new Map<string, number>();
    for (const email of drawn.mailboxes) {
      const { insertId } = await database.write(
        `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
         VALUES (?, ?, 'box', 'x', 1, 0, 1, 'h', 0)`,
        [domainOf(email), email],
      );
      mailboxIds.set(email, insertId);
    }
    for (const [address, destination] of drawn.aliases) {
      await database.write(
        'INSERT INTO alias (domain_id, address, destination, destination_mailbox_id, created_at) VALUES (?, ?, ?, ?, 0)',
        [domainOf(address), address, destination, drawn.isKnown ? (mailboxIds.get(destination) ?? null) : null],
      );
    }
  }

  /**
   * The number of outside recipients that Postfix expands a recipient to, with the views in the order of its look-ups.
   */
  async function leaving(recipient: string): Promise<number> {
    const answers = async (view: string, column: string, key: string, answer = column) =>
      (await opened.database.read(`SELECT ${answer} AS found FROM ${view} WHERE ${column} = ?`, [key])).map((row) =>
        String(row.found),
      );
    const domain = recipient.slice(recipient.indexOf('@') + 1);
    if ((await answers('mta_domains', 'domain', domain)).length === 0) return 1;
    const address = recipient.replace(/\+[^@]*/, '');
    if ((await answers('mta_mailboxes', 'address', address)).length > 0) return 0;
    const own = await answers('mta_aliases', 'address', address, 'destination');
    const found = own.length > 0 ? own : await answers('mta_aliases', 'address', `@${domain}`, 'destination');
    let sum = 0;
    for (const destination of found) if (destination !== recipient) sum += await leaving(destination);
    return sum;
  }

  it('is the number that Postfix expands them to with its views, for any open domains, aliases and forwarding', async () => {
    await fc.assert(
      fc.asyncProperty(platform, async (drawn) => {
        await set(drawn);
        await correctDerived(opened.database);
        const { database } = opened;
        const recipients = ASKED.map(parseRecipient);
        const reads = new RecipientReads(database.dialect, recipients, (domain) => drawn.assumed.includes(domain));
        let facts: RecipientFacts | null = null;
        for (let times = 0; facts === null; times += 1) {
          expect(times).toBeLessThan(2);
          facts = reads.factsOf((await database.readTogether(reads.statements())).flat());
        }
        const expected = [];
        for (const recipient of ASKED) expected.push([recipient, await leaving(recipient)]);
        expect(ASKED.map((recipient) => [recipient, countsAs(parseRecipient(recipient), facts)])).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
