import fc from '../../../../../scripts/fast-check.mjs';
import { correctDerived } from '../derived/correct-derived.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';

type State = 'open' | 'pending' | 'absent';

interface PlatformAlias {
  address: string;
  destination: string;
}

/** A random platform: states of a few domains, mailboxes, and aliases between them and to outside addresses. */
interface RandomPlatform {
  states: State[];
  mailboxes: string[];
  aliases: PlatformAlias[];
  forwarding: 'on' | 'off' | null;
}

const NAMES = ['a.example', 'b.example', 'c.example', 'mail.a.example', 'large.example'];
const LOCAL_PARTS = ['x', 'y', 'z'];
const OUTSIDE = 'friend@elsewhere.example';
const RUNS = 150;

const name = fc.constantFrom(...NAMES);
const address = fc.tuple(fc.constantFrom(...LOCAL_PARTS), name).map((parts) => parts.join('@'));
const platform: fc.Arbitrary<RandomPlatform> = fc.record({
  states: fc.array(fc.constantFrom<State>('open', 'pending', 'absent'), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  }),
  mailboxes: fc.uniqueArray(address, { maxLength: 8 }),
  aliases: fc.uniqueArray(
    fc.record({
      address: fc.oneof({ weight: 4, arbitrary: address }, { weight: 1, arbitrary: name.map((text) => `@${text}`) }),
      destination: fc.oneof({ weight: 6, arbitrary: address }, { weight: 1, arbitrary: fc.constant(OUTSIDE) }),
    }),
    { maxLength: 14, selector: (alias) => `${alias.address} ${alias.destination}` },
  ),
  forwarding: fc.constantFrom('on', 'off', null),
});

describe('what the views list of random platforms', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
  });
  afterAll(() => opened.close());

  it('aliases only to mailboxes of open domains, or outside while mail is forwarded, and no pending domain', async () => {
    await fc.assert(
      fc.asyncProperty(platform, async (drawn) => {
        await build(drawn);
        await correctDerived(opened.database);
        const state = (of: string): State => drawn.states[NAMES.indexOf(of.slice(of.lastIndexOf('@') + 1))] ?? 'absent';
        const isOpen = (of: string): boolean => state(of) === 'open';
        const isMailbox = (of: string): boolean => drawn.mailboxes.includes(of) && state(of) !== 'absent';
        const listed = drawn.aliases.filter(
          ({ address: from, destination }) =>
            isOpen(from) &&
            (isOpen(destination) ? isMailbox(destination) : !isMailbox(destination) && drawn.forwarding === 'on'),
        );
        expect(await rows('SELECT address, destination FROM mta_aliases')).toEqual(
          sorted(listed.map((alias) => [alias.address, alias.destination])),
        );
        const ours = drawn.mailboxes.filter(isOpen);
        expect(await rows('SELECT address FROM mta_mailboxes')).toEqual(sorted(ours.map((email) => [email])));
        expect(await rows('SELECT user FROM mda_users')).toEqual(sorted(ours.map((email) => [email])));
        const openNames = sorted(NAMES.filter(isOpen).map((text) => [text]));
        expect(await rows('SELECT domain FROM mta_domains')).toEqual(openNames);
        expect(await rows('SELECT domain FROM mta_relay')).toEqual(openNames);
        for (const pair of await rows('SELECT address, login FROM mta_sender_logins')) {
          expect(pair.split(' ').filter((text) => !isOpen(text))).toEqual([]);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  async function rows(sql: string): Promise<string[]> {
    const found = await opened.database.read(sql);
    return sorted(found.map((row) => Object.values(row)));
  }

  function sorted(lines: unknown[][]): string[] {
    return lines.map((line) => line.join(' ')).toSorted();
  }

  async function build({ states, mailboxes, aliases, forwarding }: RandomPlatform): Promise<void> {
    const write = (sql: string) => opened.database.write(sql, [], []);
    for (const table of ['alias', 'mailbox', 'verification', 'domain', 'mta_relay_host']) {
      await write(`DELETE FROM ${table}`);
    }
    await write("DELETE FROM installation WHERE name = 'forwarding'");
    if (forwarding !== null)
      await write(`INSERT INTO installation (name, value) VALUES ('forwarding', '${forwarding}')`);
    await write(
      `INSERT INTO mta_relay_host (domain, relayhost) VALUES ${NAMES.map((text) => `('${text}', '[r]:25')`).join(', ')}`,
    );
    const registered = NAMES.map((text, index) => ({ text, id: index + 1, state: states[index] })).filter(
      ({ state }) => state !== 'absent',
    );
    const idOf = (of: string) => registered.find(({ text }) => of.endsWith(`@${text}`))?.id;
    const present = mailboxes.filter((email) => idOf(email) !== undefined);
    const mailboxId = (email: string) => (present.includes(email) ? present.indexOf(email) + 1 : 'NULL');
    await insert(
      'domain (id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)',
      registered.map(
        ({ text, id, state }) => `(${id}, '${text}', 1, 0, 0, 0, 0, '', 'active', 'none', '${state}', 0, 0)`,
      ),
    );
    await insert(
      'verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required)',
      registered.map(({ id }) => `(${id}, 'verified', '', 0, 't', 0)`),
    );
    await insert(
      'mailbox (id, domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)',
      present.map((email) => `(${mailboxId(email)}, ${idOf(email)}, '${email}', '${email[0]}', 'h', 1, 0, 1, 'h', 0)`),
    );
    await insert(
      'alias (domain_id, address, destination, destination_mailbox_id, created_at)',
      aliases
        .filter((alias) => idOf(alias.address) !== undefined)
        .map(
          ({ address: from, destination }) =>
            `(${idOf(from)}, '${from}', '${destination}', ${mailboxId(destination)}, 0)`,
        ),
    );
  }

  async function insert(into: string, values: string[]): Promise<void> {
    if (values.length > 0) await opened.database.write(`INSERT INTO ${into} VALUES ${values.join(', ')}`, [], []);
  }
});
