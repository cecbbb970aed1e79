import type { Database } from '@mailstead/adapters/database/driver/database';
import { DAY_MS } from '@mailstead/core/clock';
import type { Flow } from '@mailstead/core/domains/flow';
import { until } from '@mailstead/core/testing/until';
import { STATES } from './seeded-states.js';
import { TestService } from './test-service.js';

/** A domain whose DNS records are awaited: it is added after the others, when the relay verifies nothing any more. */
const WAITING = 'waiting.example';

export type Expected = [name: string, sends: [Flow, RegExp], receives: [Flow, string]];

/** Every domain of `startInEveryState`, and its state. */
export const EXPECTED: readonly Expected[] = [
  ...Object.entries(STATES).map(([name, [, sends, receives]]): Expected => [name, sends, receives]),
  [WAITING, ['pending', /^Waiting for DNS$/], ['pending', 'Waiting for DNS']],
];

interface Written {
  fields: [sql: string, value: string | number | null, name: string][];
  reasons: [reason: string, name: string][];
  looks: [lacks: string, name: string][];
}

/** @returns whose the domain is: each has a partner of its own */
export function partnerOf(name: string): string {
  return name.slice(0, -'.example'.length);
}

/** The mailbox that each domain has. */
export const mailboxOf = (name: string) => `jo@${name}`;

/**
 * A service with a domain in each state.
 *
 * @param begin is called for each domain after it was added, with a token of its partner
 */
export async function startInEveryState(
  begin: (service: TestService, name: string, token: string) => Promise<unknown> = async () => {},
): Promise<TestService> {
  const service = await TestService.start('sqlite');
  const written: Written = { fields: [], reasons: [], looks: [] };
  const tokens = new Map<string, string>();
  const add = async (name: string) => {
    const token = await service.key(partnerOf(name));
    tokens.set(name, token);
    await service.call('POST', '/domains/', { name }, token);
    await service.call('POST', '/users/', { email: mailboxOf(name), password: 'correct horse battery' }, token);
    await begin(service, name, token);
  };
  for (const name of Object.keys(STATES)) await add(name);
  await until('every domain to be verified', async () => {
    const waiting = await service.call<unknown[]>('GET', '/domains/?verification_status=pending&limit=1');
    const begun = await service.call<unknown[]>('GET', '/domains/?verification_status=unverified&limit=1');
    return waiting.length + begun.length === 0;
  });
  for (const [name, [seed]] of Object.entries(STATES)) {
    await seed({
      put: (path, body = {}) => service.call('PUT', `/domains/${name}/${path}`, body),
      own: (path, body = {}) => service.call('PUT', `/domains/${name}/${path}`, body, tokens.get(name)),
      partner: (path, body = {}) => service.call('PUT', `/partners/${partnerOf(name)}/${path}`, body),
      sent: (count, bytes = 0) =>
        service.call('POST', `/domains/${name}/outbound/increment`, { count, bytes, record: true }),
      later: (table, column, value) => {
        const of = table === 'domain' ? 'name = ?' : 'domain_id = (SELECT id FROM domain WHERE name = ?)';
        written.fields.push([`UPDATE ${table} SET ${column} = ? WHERE ${of}`, value, name]);
      },
      needs: (reason) => written.reasons.push([reason, name]),
      lacks: (records) => {
        written.reasons.push(['dns_missing', name]);
        written.looks.push([records, name]);
      },
    });
  }
  await service.whileDown((database) => store(database, written), { SANDBOX_VERIFY_AFTER: '86400' });
  await add(WAITING);
  return service;
}

async function store(database: Database, { fields, reasons, looks }: Written): Promise<void> {
  for (const [sql, ...parameters] of fields) await database.write(sql, parameters, []);
  for (const [reason, name] of reasons) {
    await database.write(
      `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
       SELECT id, ?, partner_id, '' FROM domain WHERE name = ?`,
      [reason, name],
    );
  }
  for (const [lacks, name] of looks) {
    await database.write(
      `INSERT INTO dns_look (domain_id, partner_id, due_at, lacks, suspected)
       SELECT id, partner_id, ?, ?, '' FROM domain WHERE name = ?`,
      [Date.now() + DAY_MS, lacks, name],
      [],
    );
  }
}
