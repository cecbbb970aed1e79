import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Slice } from '@mailstead/core/counts/row-counts';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import { Meters } from '@mailstead/core/meters';
import { needs } from '@mailstead/core/needs';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { JobLog } from '../../jobs/job-log.js';
import { correctDerived } from '../derived/correct-derived.js';
import { Database } from '../driver/database.js';
import { correctAllDays } from './correct-all-days.js';
import { correctPartners } from './correct-partner-copies.js';
import { correctPartnerDays } from './correct-partner-days.js';
import { correctPartnerWords } from './correct-partner-words.js';
import { correctStates } from './correct-states.js';
import { addMissingSuffixes } from './correct-suffixes.js';
import { idBlocks } from './id-blocks.js';

const PARTNERS = { table: 'partner', column: 'id' };

/** Notes corrected rows: their table, and for each row the id of its domain, or one below 0 for all partners. */
export type NoteCorrected = (table: string, domainIds: readonly number[]) => void;

@needs(Database, UnitOfWork, Meters, JobLog)
export class SqlStoredCopies extends StoredCopies {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly meters: Meters,
    private readonly log: JobLog,
  ) {
    super();
  }

  override async correct(slice: Slice, now: Date): Promise<number> {
    let rows = 0;
    const noteCorrected: NoteCorrected = (table, domainIds) => {
      rows += domainIds.length;
      this.note(table, domainIds);
    };
    await correctDerived(this.database, slice, noteCorrected);
    for await (const block of idBlocks(this.database, slice)) {
      await addMissingSuffixes(this.database, this.unitOfWork, block, noteCorrected);
      await correctStates(this.database, block, noteCorrected);
      await correctPartners(this.database, block, noteCorrected);
      await correctPartnerDays(this.database, this.unitOfWork, block, now, noteCorrected);
      await nextTurn();
    }
    for await (const block of idBlocks(this.database, slice, PARTNERS)) {
      await correctPartnerWords(this.database, this.unitOfWork, block, noteCorrected);
      await nextTurn();
    }
    // They are no rows of domains, so one slice looks at all of them.
    if (slice.remainder === 0) await correctAllDays(this.database, now, noteCorrected);
    return rows;
  }

  private note(table: string, domainIds: readonly number[]): void {
    if (domainIds.length === 0) return;
    this.meters.copiesCorrected(table, domainIds.length);
    this.log.copiesCorrected(table, domainIds);
  }
}
