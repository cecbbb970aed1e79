import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Slice } from '@mailstead/core/counts/row-counts';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import type { Meters } from '@mailstead/core/meters';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { JobLog } from '../../jobs/job-log.js';
import { ALL, correctDerived } from '../derived/correct-derived.js';
import type { Database } from '../driver/database.js';
import { idBlocks } from './id-blocks.js';
import { addMissingSuffixes, fillPartners, mendPartners } from './mend-partner-copies.js';
import { mendPartnerDays } from './mend-partner-days.js';
import { mendStates } from './mend-states.js';

/** Notes corrected rows: their table, and for each row the id of its domain. */
export type Mended = (table: string, domainIds: readonly number[]) => void;

export class SqlStoredCopies extends StoredCopies {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly meters: Meters,
    private readonly log: JobLog,
  ) {
    super();
  }

  override mendMailServers(): Promise<number> {
    return correctDerived(this.database, ALL, (table, ids) => this.note(table, ids));
  }

  override async mend(slice: Slice, now: Date): Promise<number> {
    let rows = 0;
    const mended: Mended = (table, domainIds) => {
      rows += domainIds.length;
      this.note(table, domainIds);
    };
    await fillPartners(this.database, mended);
    await correctDerived(this.database, slice, mended);
    for await (const block of idBlocks(this.database, slice)) {
      await addMissingSuffixes(this.database, block, mended);
      await mendStates(this.database, block, mended);
      await mendPartners(this.database, block, mended);
      await mendPartnerDays(this.database, this.unitOfWork, block, now, mended);
      await nextTurn();
    }
    return rows;
  }

  private note(table: string, domainIds: readonly number[]): void {
    if (domainIds.length === 0) return;
    this.meters.copiesMended(table, domainIds.length);
    this.log.mended(table, domainIds);
  }
}
