import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { JOB_OPTIONS } from '@mailstead/core/jobs/jobs';
import {
  type RestoredBackup,
  RestoredInstallation,
  type RestoredKind,
} from '@mailstead/core/recovery/restored-installation';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Database } from '../driver/database.js';
import { RESTORE_MARK, readRestoreMark } from './restore-mark.js';

const OPERATION = 'domain.verify';

/** Of each kind the rows that exist after the restore. */
const COUNTS: Record<RestoredKind, string> = {
  keys: 'SELECT COUNT(*) AS count FROM api_key WHERE active = 1 AND (expires_at IS NULL OR expires_at > ?)',
  passwords: 'SELECT COUNT(*) AS count FROM mailbox WHERE created_at <= ?',
  links: 'SELECT COUNT(*) AS count FROM portal_link WHERE expires_at > ?',
  suspensions: `SELECT (SELECT COUNT(*) FROM domain WHERE suspension_causes <> '' AND created_at <= ?)
      + (SELECT COUNT(*) FROM partner WHERE stage IS NOT NULL) AS count`,
  blocks: "SELECT COUNT(*) AS count FROM domain WHERE outbound_status = 'blocked' AND created_at <= ?",
  deleted: 'SELECT COUNT(*) AS count FROM tombstone WHERE erased_at IS NULL AND expires_at > ?',
};

export class SqlRestoredInstallation extends RestoredInstallation {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly waker: JobWaker,
  ) {
    super();
  }

  override waiting(): Promise<RestoredBackup | null> {
    return readRestoreMark(this.database);
  }

  /** Without the time limit of the reads of the service. */
  override async counts(now: Date): Promise<Record<RestoredKind, number>> {
    const found: Partial<Record<RestoredKind, number>> = {};
    for (const [kind, sql] of Object.entries(COUNTS)) {
      const [row] = (await this.database.reader.query(sql, [now.getTime()])) as { count: unknown }[];
      found[kind as RestoredKind] = Number(row?.count);
    }
    return found as Record<RestoredKind, number>;
  }

  override async open(): Promise<boolean> {
    const { affected } = await this.database.write('DELETE FROM installation WHERE name = ?', [RESTORE_MARK]);
    return affected > 0;
  }

  override async checkVerified(now: Date): Promise<number> {
    const [row] = await this.database.read<{ count: number }>(
      "SELECT COUNT(*) AS count FROM verification WHERE status = 'verified'",
    );
    const isMysql = this.database.dialect.name === 'mysql';
    const joined = (...parts: string[]) => (isMysql ? `CONCAT(${parts.join(', ')})` : parts.join(' || '));
    const key = joined(`'${OPERATION}/'`, 'v.domain_id');
    await this.database.write(
      `INSERT INTO job (name, payload, unique_key, state, run_at, attempts, request_id, created_at, partner_id)
       SELECT '${OPERATION}', ${joined(`'{"domainId":'`, 'v.domain_id', "'}'")}, ${key}, 'waiting', ?, 0, NULL, ?, d.partner_id
         FROM verification v JOIN domain d ON d.id = v.domain_id
        WHERE v.status = 'verified' AND NOT EXISTS (SELECT 1 FROM job j WHERE j.unique_key = ${key})`,
      [now.getTime(), now.getTime()],
    );
    this.unitOfWork.afterCommit(() => this.waker.wake(JOB_OPTIONS[OPERATION].queue, now));
    return Number(row?.count);
  }
}
