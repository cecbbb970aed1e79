import { needs } from '@mailstead/core/needs';
import { type RelayState, RelayStates, type RelayTraffic, type StoredReport } from '@mailstead/core/relay/relay-state';
import { EntitySchema } from 'typeorm';
import type { StoredCertificate } from '../../ses/certificate-source.js';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';

/** One row, which a migration inserts. */
export class RelayStateRow implements RelayState {
  id!: number;
  report!: StoredReport | null;
  checkedAt!: Date | null;
  /** Null in the row of the migration. */
  warningNames!: string[] | null;
  firstCountedAt!: Date | null;
  countedSinceHeard!: number;
  heardAt!: Date | null;
  firstEventAt!: Date | null;
  lastEventAt!: Date | null;
  /** With which an event was verified last. */
  certificate!: StoredCertificate | null;

  get warnings(): string[] {
    return this.warningNames ?? [];
  }
}

export function relayStateSchema(dialect: Dialect): EntitySchema<RelayStateRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<RelayStateRow>({
    name: 'RelayStateRow',
    target: RelayStateRow,
    tableName: 'relay_state',
    columns: {
      id: columns.integer({ primary: true }),
      report: columns.json({ nullable: true }),
      warningNames: { ...columns.words(500), name: 'warnings', nullable: true },
      checkedAt: columns.time({ name: 'checked_at', nullable: true }),
      firstCountedAt: columns.time({ name: 'first_counted_at', nullable: true }),
      heardAt: columns.time({ name: 'heard_at', nullable: true }),
      firstEventAt: columns.time({ name: 'first_event_at', nullable: true }),
      lastEventAt: columns.time({ name: 'last_event_at', nullable: true }),
      certificate: columns.json({ nullable: true }),
      countedSinceHeard: columns.big({ name: 'counted_since_heard' }),
    } satisfies ColumnsOf<RelayStateRow, 'warnings'>,
  });
}

@needs(Database)
export class TypeormRelayStates extends RelayStates {
  constructor(private readonly database: Database) {
    super();
  }

  override read(): Promise<RelayState> {
    return this.database.manager.findOneByOrFail(RelayStateRow, { id: 1 });
  }

  override lock(): Promise<RelayState> {
    const row = this.database.manager.createQueryBuilder(RelayStateRow, 's').where('s.id = 1');
    return row.setLock('pessimistic_write').getOneOrFail();
  }

  override async saveReport(report: StoredReport, warnings: readonly string[], at: Date): Promise<void> {
    const changes = { report, warningNames: [...warnings], checkedAt: at };
    await this.database.manager.update(RelayStateRow, { id: 1 }, changes);
  }

  override async addTraffic({ counted, countedAt, heardAt, eventAt }: RelayTraffic): Promise<void> {
    const [counting, heard, event] = [countedAt, heardAt, eventAt].map((at) => at?.getTime() ?? null);
    const later = (column: string) => `CASE WHEN ${column} > ? THEN ${column} ELSE COALESCE(?, ${column}) END`;
    await this.database.write(
      `UPDATE relay_state SET counted_since_heard = ${heard === null ? 'counted_since_heard + ' : ''}?,
          first_counted_at = COALESCE(first_counted_at, ?), heard_at = ${later('heard_at')},
          first_event_at = COALESCE(first_event_at, ?), last_event_at = ${later('last_event_at')} WHERE id = 1`,
      [counted, counting, heard, heard, event, event, event].map((value) => value ?? null),
    );
  }

  override async forgetTraffic(): Promise<void> {
    await this.database.manager.update(
      RelayStateRow,
      { id: 1 },
      { firstCountedAt: null, countedSinceHeard: 0, heardAt: null, firstEventAt: null, lastEventAt: null },
    );
  }
}
