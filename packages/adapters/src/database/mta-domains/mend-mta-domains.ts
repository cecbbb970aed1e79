import type { Slice } from '@mailstead/core/counts/row-counts';
import { idBlocks } from '../copies/id-blocks.js';
import type { Mended } from '../copies/sql-stored-copies.js';
import type { Database } from '../driver/database.js';
import { TypeormUnitOfWork } from '../driver/typeorm-unit-of-work.js';
import { MTA_DOMAIN_ROWS } from '../migrations/mta-domain.js';
import { mtaDomainsChanged } from './mta-domain-changes.js';

/** More than of other copies, because only MariaDB has these rows, and each start compares all. */
const BLOCKS = { table: 'domain', column: 'id', ids: 1_000 };
/** All domains. */
export const ALL: Slice = { of: 1, remainder: 0 };

const SAME = `m.domain = r.domain AND m.suspended = r.suspended AND m.held = r.held AND m.sends_until <=> r.sends_until
  AND m.retention_days = r.retention_days AND m.transfer_cap_mb = r.transfer_cap_mb`;

/** Missing and wrong rows, then rows of domains that are not open. */
const WRONG = `
  SELECT r.domain_id FROM (${MTA_DOMAIN_ROWS} AND d.id > ? AND d.id <= ?) AS r LEFT JOIN mta_domain m ON m.domain_id = r.domain_id
   WHERE m.domain_id IS NULL OR NOT (${SAME})
   UNION ALL
  SELECT m.domain_id FROM mta_domain m JOIN domain d ON d.id = m.domain_id
   WHERE m.domain_id > ? AND m.domain_id <= ? AND d.inbound <> 'open'`;

/**
 * Compares the rows of `mta_domain` with what they are computed from, and corrects wrong ones: a process of the former
 * release, which may run during an update, does not write them. Wrong rows are computed again under the locks of their
 * domains, so a row that another transaction changes meanwhile stays right.
 *
 * @returns the number of corrected rows
 * @until 5.2
 */
export async function mendMtaDomains(
  database: Database,
  slice = ALL,
  noted: Mended = () => undefined,
): Promise<number> {
  if (!database.dialect.isReadByMailServers) return 0;
  const unitOfWork = new TypeormUnitOfWork(database);
  let mended = 0;
  for await (const { after, last } of idBlocks(database, slice, BLOCKS)) {
    const wrong = await database.read(WRONG, [after, last, after, last]);
    const ids = wrong.map(({ domain_id: id }) => Number(id));
    if (ids.length === 0) continue;
    await unitOfWork.run(async () => mtaDomainsChanged(database, ids));
    noted('mta_domain', ids);
    mended += ids.length;
  }
  return mended;
}
