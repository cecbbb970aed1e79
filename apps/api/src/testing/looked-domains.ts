import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { MINUTE_MS } from '@mailstead/core/clock';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { LookAtDomains } from '@mailstead/core/relay/looks/look-at-domains';
import { MASTER, startTestApi, type TestApi } from './api-fixture.js';

const HOSTS = ['mx1.platform.test', 'mx2.platform.test'];
const SPF = 'v=spf1 include:spf.platform.test ~all';

/** An API that expects MX and SPF records of domains, whose name servers are a test's. */
export class LookedDomains {
  private made = 0;

  private constructor(
    readonly api: TestApi,
    /** The key of the partner `acme`. */
    readonly acme: string,
  ) {}

  static async start(kind: DatabaseKind): Promise<LookedDomains> {
    const api = await startTestApi(kind, { MX_HOSTS: HOSTS.join(','), SPF_INCLUDE: 'SPF.platform.test.' });
    return new LookedDomains(api, await api.key('acme'));
  }

  /** Begins a test as after a start: looks and their brake are about all domains. */
  async begin(): Promise<void> {
    const { database, dns, jobs } = this.api;
    for (const statement of [
      'DELETE FROM alias',
      'DELETE FROM mailbox',
      'UPDATE domain SET parent_id = NULL',
      'DELETE FROM domain',
      'DELETE FROM notification',
      'DELETE FROM audit_log',
      'UPDATE partner SET domain_count = 0',
      "UPDATE dns_look_state SET day = '', new_lacks = 0, round = '', round_until = 0, problem = NULL",
    ])
      await database.write(statement, [], []);
    for (const records of [dns.records, dns.mxRecords, dns.broken]) records.clear();
    for (const host of HOSTS) dns.set('A', host, '192.0.2.25');
    dns.set('TXT', 'spf.platform.test', 'v=spf1 ip4:192.0.2.0/24 -all');
    jobs.jobs.length = 0;
  }

  /** Adds a verified domain with a mailbox, without any record of its own. */
  async domain(name: string, token = this.acme): Promise<void> {
    const { body } = await this.api.as(token).post('/domains/', { name }).expect(201);
    await this.verify(name, body.id);
    await this.mailbox(name, token);
  }

  async verify(name: string, id: number): Promise<void> {
    this.api.relay.says(name, 'verified');
    expect(await this.api.container.get(CheckVerification).execute(id)).toBe('verified');
  }

  async mailbox(name: string, token = this.acme): Promise<string> {
    const email = `m${(this.made += 1)}@${name}`;
    await this.api.as(token).post('/users/', { email, password: 'correct horse 7 battery' }).expect(201);
    return email;
  }

  /** Publishes the records that the platform expects, or others. */
  publish(name: string, { mx = HOSTS, spf = SPF }: { mx?: string[]; spf?: string | null } = {}): void {
    const { dns } = this.api;
    if (mx.length === 0) dns.mxRecords.delete(name);
    else
      dns.mxRecords.set(
        name,
        mx.map((exchange, index) => ({ exchange, priority: index * 10 })),
      );
    dns.set('TXT', name, ...(spf === null ? ['another text'] : [spf]));
  }

  look(): Promise<JobCounts> {
    return this.api.container.get(LookAtDomains).execute();
  }

  /** Looks when the domain is due, and once more when what it lacks is confirmed. */
  async lookTwice(): Promise<JobCounts> {
    this.api.clock.advance(MINUTE_MS);
    await this.look();
    this.api.clock.advance(10 * MINUTE_MS);
    return this.look();
  }

  async shown(name: string): Promise<object> {
    const { attention, state, missing_dns } = (await this.api.as(MASTER).get(`/domains/${name}`).expect(200)).body;
    return { attention, ...state, missing_dns };
  }

  async events(): Promise<{ type: string; about: string; data: object }[]> {
    const { api } = this;
    await api.container.get(EventPositioner).giveAll();
    const { body } = await api.as(this.acme).get('/events?types=domain.dns_missing,domain.dns_complete').expect(200);
    return (body as { type: string; domain: string; data: object }[]).map(({ type, domain, data }) => ({
      type,
      about: domain,
      data,
    }));
  }

  async warnings(): Promise<object[]> {
    return (await this.api.as(MASTER).get('/health/ready').expect(200)).body.warnings;
  }

  /** In how many milliseconds a domain is looked at; null: not at all. */
  async dueIn(name: string): Promise<number | null> {
    const [row] = await this.api.database.read(
      'SELECT due_at FROM dns_look WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
      [name],
    );
    return row === undefined ? null : Number(row.due_at) - this.api.clock.now().getTime();
  }

  /** In how many milliseconds the round begins that was enqueued last. */
  nextRoundIn(): number {
    const runAt = this.api.jobs.jobs.findLast(({ name }) => name === 'dns.look')?.options.runAt;
    return runAt === undefined ? 0 : runAt.getTime() - this.api.clock.now().getTime();
  }
}
