import { needs } from '@mailstead/core/needs';
import {
  type FailedRelayCall,
  type LastRelayCalls,
  type RelayCall,
  RelayCalls,
  type RelayOperation,
} from '@mailstead/core/relay/relay-calls';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';

const MAX_REASON = 500;

/** Two rows, which a migration inserts. */
class RelayCallRow {
  outcome!: 'success' | 'failure';
  /** 1970 before the first call. */
  at!: Date;
  operation!: RelayOperation | null;
  /** Null for a success. */
  reason!: string | null;
}

export function relayCallSchema(dialect: Dialect): EntitySchema<RelayCallRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<RelayCallRow>({
    name: 'RelayCallRow',
    target: RelayCallRow,
    tableName: 'relay_call',
    columns: {
      outcome: columns.exact(8, { primary: true }),
      at: columns.time(),
      operation: columns.exact(32, { nullable: true }),
      reason: columns.text(MAX_REASON, { nullable: true }),
    } satisfies ColumnsOf<RelayCallRow>,
  });
}

@needs(Database)
export class TypeormRelayCalls extends RelayCalls {
  constructor(private readonly database: Database) {
    super();
  }

  override noteSuccess(call: RelayCall): Promise<void> {
    return this.note('success', call, null);
  }

  override noteFailure(call: FailedRelayCall): Promise<void> {
    return this.note('failure', call, call.reason.slice(0, MAX_REASON));
  }

  override async last(): Promise<LastRelayCalls> {
    const rows = await this.database.manager.find(RelayCallRow);
    const made = rows.filter(({ operation }) => operation !== null);
    const success = made.find(({ outcome }) => outcome === 'success');
    const failure = made.find(({ outcome }) => outcome === 'failure');
    return {
      success: success === undefined ? null : toCall(success),
      failure: failure === undefined ? null : { ...toCall(failure), reason: failure.reason ?? '' },
    };
  }

  private async note(outcome: RelayCallRow['outcome'], call: RelayCall, reason: string | null): Promise<void> {
    await this.database.manager
      .createQueryBuilder()
      .update(RelayCallRow)
      .set({ at: call.at, operation: call.operation, reason })
      .where('outcome = :outcome AND at <= :at', { outcome, at: call.at.getTime() })
      .execute();
  }
}

function toCall({ at, operation }: RelayCallRow): RelayCall {
  return { at, operation: operation ?? 'get_identity' };
}
