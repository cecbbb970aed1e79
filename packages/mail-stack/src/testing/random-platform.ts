import fc from '../../../../scripts/fast-check.mjs';
import type { RigDatabase } from './rig-database.js';

/** The number of domain names in a platform. The next number is a domain outside the platform. */
const NAMES = 4;
const LOCAL_PARTS = ['x', 'y', 'z'];
/** Local parts that contain a route to an outside address. */
const ROUTES = ['x%elsewhere.test', 'elsewhere.test!x', '"x@elsewhere.test"'];

/** An address; with an empty local part, a catch-all. `domain` is the number of a name. */
export interface RandomAddress {
  local: string;
  domain: number;
}

interface RandomDomain {
  state: 'open' | 'pending' | 'suspended' | 'absent';
  /** A domain that was deleted and created again has another number. Its mailboxes start empty. */
  generation: number;
  mailboxes: string[];
  /** Of each mailbox; 0: unlimited. A large message does not fit into 1. */
  quotaMb: 0 | 1;
}

/** The content of the database at one time. */
export interface RandomPlatform {
  domains: RandomDomain[];
  aliases: { from: RandomAddress; to: RandomAddress }[];
  forwarding: 'on' | 'off' | null;
  /** True makes the view `mta_aliases` list every alias, so that only Postfix protects the relay. */
  lax: boolean;
}

export interface RandomMessage {
  via: 'port 25' | 'sendmail';
  /** Null: no sender. */
  from: RandomAddress | null;
  to: RandomAddress[];
  /** Whether it requests a notice about each delivery, with the whole message (DSN). */
  notices: boolean;
  /** More than 1 MB. */
  large: boolean;
}

export interface RandomCase {
  /** At the acceptance, at the first delivery attempt, and at the second. */
  platforms: [RandomPlatform, RandomPlatform, RandomPlatform];
  messages: RandomMessage[];
}

const addressWith = (locals: string[], domains: number): fc.Arbitrary<RandomAddress> =>
  fc.record({ local: fc.constantFrom(...locals), domain: fc.nat({ max: domains - 1 }) });

const domain: fc.Arbitrary<RandomDomain> = fc.record({
  state: fc.constantFrom('open', 'open', 'open', 'open', 'suspended', 'suspended', 'pending', 'absent'),
  generation: fc.nat({ max: 1 }),
  mailboxes: fc.subarray(LOCAL_PARTS, { minLength: 1 }),
  quotaMb: fc.constantFrom(0, 0, 1),
});

const platform: fc.Arbitrary<RandomPlatform> = fc.record({
  domains: fc.array(domain, { minLength: NAMES, maxLength: NAMES }),
  aliases: fc.uniqueArray(
    fc.record({
      from: addressWith([...LOCAL_PARTS, ''], NAMES),
      // Also destinations that the API would refuse: aliases, the alias itself, and missing mailboxes.
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
  notices: fc.constantFrom(true, false, false),
  large: fc.constantFrom(true, false, false, false, false),
});

export const randomCase: fc.Arbitrary<RandomCase> = fc.record({
  platforms: fc.tuple(platform, platform, platform),
  messages: fc.array(message, { minLength: 8, maxLength: 12 }),
});

/**
 * Returns the text of an address. Each case has its own names, so that Postfix's caches of other cases have no effect.
 */
export function textOf(address: RandomAddress, caseNumber: number): string {
  return `${address.local}@${nameOf(address.domain, caseNumber)}`;
}

/** Returns the address and each one that the aliases of the platform can make of it, over any number of them. */
export function reachedFrom(address: string, platform: RandomPlatform, caseNumber: number): string[] {
  const reached = new Set([address]);
  for (const each of reached) {
    for (const { from, to } of platform.aliases) {
      const text = textOf(from, caseNumber);
      const isCatchAll = from.local === '';
      if (text === each || (isCatchAll && each.endsWith(text))) reached.add(textOf(to, caseNumber));
    }
  }
  return [...reached];
}

function nameOf(domain: number, caseNumber: number): string {
  return domain === NAMES ? 'elsewhere.test' : `d${domain}.case${caseNumber}.test`;
}

const STRICT = 'mta_aliases_strict';

/** Saves the original view of aliases under another name, for `setPlatform`. */
export async function keepStrictView(database: RigDatabase): Promise<void> {
  const [view] = await database.query('SHOW CREATE VIEW mta_aliases');
  const body = String(view?.['Create View']).replace(/^.*? VIEW \S+ AS /, '');
  await database.query(`CREATE SQL SECURITY DEFINER VIEW ${STRICT} AS ${body}`);
}

/** Changes the database to this platform, in one step for all names of the case. */
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
      ...there.flatMap(({ name, state, mailboxes, generation, quotaMb }) => [
        `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb,
           suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
         VALUES ('${name}', 1, 0, 0, 0, 0, '${state === 'suspended' ? 'billing' : ''}', 'active', 'none',
           '${state === 'pending' ? 'pending' : 'open'}', 0, 0)`,
        `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
         SELECT id, 'verified', '', 0, 't', 0 FROM domain WHERE name = '${name}'`,
        `INSERT INTO mta_domain (domain_id, domain, suspended, held, sends_until, retention_days, transfer_cap_mb)
         SELECT id, name, suspension_causes <> '', suspension_causes <> '', NULL, 0, 0 FROM domain
          WHERE name = '${name}' AND inbound = 'open'`,
        ...mailboxes.map(
          (
            local,
          ) => `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
            SELECT id, '${local}@${name}', '${local}', 'h', ${quotaMb}, 0, 1, MD5('${local}@${name} ${generation}'), 0 FROM domain WHERE name = '${name}'`,
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
