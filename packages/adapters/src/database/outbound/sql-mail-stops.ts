import { needs } from '@mailstead/core/needs';
import { type MailStops, MailStopsReader } from '@mailstead/core/outbound/mail-stops';
import { chunksOf } from '../driver/chunks.js';
import { Database, placeholders } from '../driver/database.js';
import { OWN_OR_PARENTS_SUSPENSION } from '../finding/mail-stop-condition.js';

/** Plain SQL: a mail server asks about many domains at once. */
@needs(Database)
export class SqlMailStops extends MailStopsReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofDomains(names: readonly string[]): Promise<ReadonlyMap<string, MailStops>> {
    const found = new Map<string, MailStops>();
    for (const chunk of chunksOf([...new Set(names)])) {
      const rows = await this.database.read(
        `SELECT d.id, d.name, d.inbound, pt.stage, t.status AS relay_status, CASE WHEN ${OWN_OR_PARENTS_SUSPENSION} THEN 1 ELSE 0 END AS suspended
           FROM domain d JOIN partner pt ON pt.id = d.partner_id
           LEFT JOIN relay_tenant t ON t.partner_id = d.partner_id WHERE d.name IN (${placeholders(chunk)})`,
        [...chunk],
      );
      for (const { id, name, inbound, stage, relay_status, suspended } of rows) {
        const isSuspended = Number(suspended) === 1;
        found.set(String(name), {
          domainId: Number(id),
          hosted: inbound === 'open',
          sendingWaits: isSuspended || stage !== null || relay_status === 'paused',
          receivingWaits: isSuspended || stage === 'all',
        });
      }
    }
    return found;
  }
}
