import fc from 'fast-check';
import type { RigDatabase } from './rig-database.js';

/** How many names a platform draws from; the number behind the last one stands for a domain elsewhere. */
const NAMES = 4;
const LOCAL_PARTS = ['x', 'y', 'z'];
/** Forms in which a sender may ask for a route to the outside. */
const ROUTES = ['x%elsewhere.test', 'elsewhere.test!x', '"x@elsewhere.test"'];

/** An address, or a catch-all when the local part is empty. `domain` is the number of a name. */
export interface RandomAddress {
  local: string;
  domain: number;
}

interface RandomDomain {
  state: 'open' | 'pending' | 'suspended' | 'absent';
  /** Another number is a domain of the same name that was made anew: its mailboxes start empty. */
  generation: number;
  mailboxes: string[];
}

/** What the database holds at one time. */
export interface RandomPlatform {
  domains: RandomDomain[];
  aliases: { from: RandomAddress; to: RandomAddress }[];
  forwarding: 'on' | 'off' | null;
  /** The view `mta_aliases` lists every alias, so that Postfix is the only wall. */
  lax: boolean;
}

export interface RandomMessage {
  via: 'port 25' | 'sendmail';
  /** Null: no sender. */
  from: RandomAddress | null;
  to: RandomAddress[];
}

export interface RandomCase {
  /** At the acceptance, at the first attempt to deliver, and at the second. */
  platforms: [RandomPlatform, RandomPlatform, RandomPlatform];
  messages: RandomMessage[];
}

const addressWith = (locals: string[], domains: number): fc.Arbitrary<RandomAddress> =>
  fc.record({ local: fc.constantFrom(...locals), domain: fc.nat({ max: domains - 1 }) });

const domain: fc.Arbitrary<RandomDomain> = fc.record({
  state: fc.constantFrom('open', 'open', 'open', 'open', 'suspended', 'suspended', 'pending', 'absent'),
  generation: fc.nat({ max: 1 }),
  mailboxes: fc.subarray(LOCAL_PARTS, { minLength: 1 }),
});

const platform: fc.Arbitrary<RandomPlatform> = fc.record({
  domains: fc.array(domain, { minLength: NAMES, maxLength: NAMES }),
  aliases: fc.uniqueArray(
    fc.record({
      from: addressWith([...LOCAL_PARTS, ''], NAMES),
      // Aliases to aliases, to themselves, to nobody and to the outside: more than the API makes.
      to: addressWith(LOCAL_PARTS, NAMES + 1),
    }),
    { minLength: 4, maxLength: 12, selector: (alias) => JSON.stringify(alias) },
  ),
  forwarding: fc.constantFrom('on', 'off', null),
  lax: fc.boolean(),
});

const message: fc.Arbitrary<RandomMessage> = fc.record({
  via: fc.constantFrom('port 25', 'port 25', 'sendmail'),
  from: fc.option(addressWith(LOCAL_PARTS, NAMES + 1), { freq: 5 }),
  to: fc.uniqueArray(addressWith([...LOCAL_PARTS, ...LOCAL_PARTS, ...ROUTES], NAMES + 1), {
    minLength: 1,
    maxLength: 4,
    selector: (address) => JSON.stringify(address),
  }),
});

export const randomCase: fc.Arbitrary<RandomCase> = fc.record({
  platforms: fc.tuple(platform, platform, platform),
  messages: fc.array(message, { minLength: 8, maxLength: 12 }),
});

/** The text of an address; each case has names of its own, so that nothing remembered of another one is in its way. */
export function textOf(address: RandomAddress, caseNumber: number): string {
  return `${address.local}@${nameOf(address.domain, caseNumber)}`;
}

function nameOf(domain: number, caseNumber: number): string {
  return domain === NAMES ? 'elsewhere.test' : `d${domain}.case${caseNumber}.test`;
}

const STRICT = 'mta_aliases_strict';

/** Keeps the shipped view of aliases aside, for `setPlatform`. */
export async function keepStrictView(database: RigDatabase): Promise<void> {
  const [view] = await database.query('SHOW CREATE VIEW mta_aliases');
  const body = String(view?.['Create View']).replace(/^.*? VIEW \S+ AS /, '');
  await database.query(`CREATE SQL SECURITY DEFINER VIEW ${STRICT} AS ${body}`);
}

/** Brings the database to this platform, all names of the case at once. */
export async function setPlatform(database: RigDatabase, caseNumber: number, platform: RandomPlatform): Promise<void> {
  const names = platform.domains.map((_, index) => nameOf(index, caseNumber));
  const inNames = `IN (${names.map((name) => `'${name}'`).join(', ')})`;
  const there = platform.domains.flatMap((drawn, index) =>
    drawn.state === 'absent' ? [] : [{ ...drawn, name: names[index] ?? '', index }],
  );
  const ours = `(SELECT id FROM domain WHERE name ${inNames})`;
  await database.query(
    [
      'START TRANSACTION',
      `DELETE FROM alias WHERE domain_id IN ${ours}`,
      `DELETE FROM mailbox WHERE domain_id IN ${ours}`,
      `DELETE FROM verification WHERE domain_id IN ${ours}`,
      `DELETE FROM domain WHERE name ${inNames}`,
      ...there.flatMap(({ name, state, mailboxes, generation }) => [
        `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb,
           suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
         VALUES ('${name}', 1, 0, 0, 0, 0, '${state === 'suspended' ? 'billing' : ''}', 'active', 'none',
           '${state === 'pending' ? 'pending' : 'open'}', 0, 0)`,
        `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
         SELECT id, 'verified', '', 0, 't', 0 FROM domain WHERE name = '${name}'`,
        ...mailboxes.map(
          (
            local,
          ) => `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
            SELECT id, '${local}@${name}', '${local}', 'h', 0, 0, 1, MD5('${local}@${name} ${generation}'), 0 FROM domain WHERE name = '${name}'`,
        ),
      ]),
      ...platform.aliases
        .filter(({ from }) => there.some(({ index }) => index === from.domain))
        .map(({ from, to }) => {
          const destination = textOf(to, caseNumber);
          return `INSERT INTO alias (domain_id, address, destination, destination_mailbox_id, created_at)
            SELECT id, '${textOf(from, caseNumber)}', '${destination}', (SELECT id FROM mailbox WHERE email = '${destination}'), 0
              FROM domain WHERE name = '${nameOf(from.domain, caseNumber)}'`;
        }),
      "DELETE FROM installation WHERE name = 'forwarding'",
      ...(platform.forwarding === null
        ? []
        : [`INSERT INTO installation (name, value) VALUES ('forwarding', '${platform.forwarding}')`]),
      'COMMIT',
      `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_aliases AS ${
        platform.lax
          ? 'SELECT a.address, a.destination, d.name AS domain FROM alias a JOIN domain d ON d.id = a.domain_id'
          : `SELECT * FROM ${STRICT}`
      }`,
    ].join(';\n'),
  );
}
