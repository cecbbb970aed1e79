import type { Database } from '../driver/database.js';
import { removeReasons } from '../finding/attention-rows.js';
import type { IdBlock } from './id-blocks.js';
import type { NoteCorrected } from './sql-stored-copies.js';

const STATES = [
  { reason: 'suspended', holds: "d.suspension_causes > ''" },
  { reason: 'blocked', holds: "d.outbound_status = 'blocked'" },
];

/** Lists the domains that are suspended or blocked, and no others, as needing attention. */
export async function correctStates(
  database: Database,
  { after, last }: IdBlock,
  noteCorrected: NoteCorrected,
): Promise<void> {
  for (const { reason, holds } of STATES) {
    const listed = 'SELECT 1 FROM domain_attention a WHERE a.domain_id = d.id AND a.reason = ?';
    const rows = await database.read(
      `SELECT d.id, CASE WHEN ${holds} THEN 1 ELSE 0 END AS holds FROM domain d
        WHERE d.id > ? AND d.id <= ? AND ((${holds} AND NOT EXISTS (${listed})) OR (NOT (${holds}) AND EXISTS (${listed})))`,
      [after, last, reason, reason],
    );
    for (const { id, holds: isMissing } of rows) {
      if (Number(isMissing) === 1) {
        await database.write(
          `${database.dialect.insertOrIgnore('domain_attention')} (domain_id, reason, partner_id, period)
           SELECT d.id, '${reason}', d.partner_id, '' FROM domain d WHERE d.id = ? AND ${holds}`,
          [Number(id)],
        );
      } else await removeReasons(database, Number(id), [reason]);
      noteCorrected('domain_attention', [Number(id)]);
    }
  }
}
