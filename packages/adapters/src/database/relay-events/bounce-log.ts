import type { Domain } from '@mailstead/core/domains/domain';
import { needs } from '@mailstead/core/needs';
import { type Bounce, BounceLog, type NewBounce } from '@mailstead/core/relay-events/bounce-log';
import { MAX_ADDRESS, MAX_DIAGNOSTIC, MAX_MESSAGE_ID, MAX_SUBTYPE } from '@mailstead/core/relay-events/listed-bounce';
import { EntitySchema, In } from 'typeorm';
import { chunksOf } from '../driver/chunks.js';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database, type Parameter } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { condition } from '../finding/conditions.js';
import { idsOfPage } from '../finding/id-search.js';

/** Without a foreign key, like the outbound tables: the rows of a deleted domain wait for their purge. */
class BounceRow {
  id!: number;
  domainId!: number;
  partnerId!: number;
  at!: Date;
  kind!: Bounce['kind'];
  recipient!: string;
  sender!: string | null;
  subtype!: string | null;
  diagnostic!: string | null;
  messageId!: string;
}

export function bounceSchema(dialect: Dialect): EntitySchema<BounceRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<BounceRow>({
    name: 'BounceRow',
    target: BounceRow,
    tableName: 'bounce',
    columns: {
      id: columns.id(),
      domainId: columns.ref({ name: 'domain_id' }),
      partnerId: columns.ref({ name: 'partner_id' }),
      at: columns.time(),
      kind: columns.exact(16),
      recipient: columns.text(MAX_ADDRESS),
      sender: columns.text(MAX_ADDRESS, { nullable: true }),
      subtype: columns.text(MAX_SUBTYPE, { nullable: true }),
      diagnostic: columns.text(MAX_DIAGNOSTIC, { nullable: true }),
      messageId: columns.text(MAX_MESSAGE_ID, { name: 'message_id' }),
    } satisfies ColumnsOf<BounceRow>,
    indices: [
      { name: 'ix_bounce_domain', columns: ['domainId', 'partnerId', 'id'] },
      { name: 'ix_bounce_at', columns: ['at'] },
    ],
  });
}

@needs(Database)
export class TypeormBounceLog extends BounceLog {
  constructor(private readonly database: Database) {
    super();
  }

  /** Plain SQL, because one statement inserts the bounces of up to 200 events (`relay-event-statements.ts`). */
  override async add(bounces: readonly NewBounce[]): Promise<void> {
    for (const chunk of chunksOf(bounces, valuesOf)) {
      await this.database.write(
        `INSERT INTO bounce (domain_id, partner_id, at, kind, recipient, sender, subtype, diagnostic, message_id)
         VALUES ${chunk.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
        chunk.flatMap(valuesOf),
      );
    }
  }

  override async page(
    { id: domainId, partnerId }: Pick<Domain, 'id' | 'partnerId'>,
    { before, limit }: { before: number; limit: number },
  ): Promise<Bounce[]> {
    const source = {
      from: `bounce b${this.database.dialect.byIndex('ix_bounce_domain')}`,
      id: 'b.id',
      conditions: [condition('b.domain_id = ?', domainId), condition('b.partner_id = ?', partnerId)],
    };
    const ids = await idsOfPage(this.database, source, { after: before, limit, order: 'desc' });
    if (ids.length === 0) return [];
    return this.database.manager.find(BounceRow, { where: { id: In(ids) }, order: { id: 'DESC' } });
  }

  override async deleteOld(before: Date, limit: number): Promise<number> {
    const sql = this.database.dialect.deleteSome('bounce', 'at < ?');
    const { affected } = await this.database.write(sql, [before.getTime(), limit]);
    return affected;
  }
}

function valuesOf(bounce: NewBounce): Parameter[] {
  const { domainId, partnerId, at, kind, recipient, sender, subtype, diagnostic, messageId } = bounce;
  return [domainId, partnerId, at.getTime(), kind, recipient, sender, subtype, diagnostic, messageId];
}
