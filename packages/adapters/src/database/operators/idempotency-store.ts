import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import {
  IdempotencyStore,
  type IdempotentRequest,
  type KeptAnswer,
  type KeptOutcome,
  type KeptRequest,
  type KeptSubject,
} from '@mailstead/core/operators/idempotency-store';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { EntitySchema, type FindOptionsWhere, IsNull } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import type { Database } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { requireUnchanged } from '../driver/row-changed-error.js';
import {
  deleteRequests,
  existingSubjects,
  insertRequests,
  readRequests,
  type StoredRequest,
  storeAnswers,
} from './idempotency-statements.js';

const LEASE_MS = 60 * SECOND_MS;
const KEPT_MS = DAY_MS;
const ROWS_PER_PURGE = 5_000;

/** A request with an idempotency key and, after it succeeded, its response. */
class IdempotencyRow {
  /** SHA-256 of caller and key. */
  keyHash!: string;
  bodyHmac!: string;
  /** Null after the response was stored. */
  leasedUntil!: Date | null;
  /** Null while the request runs. */
  status!: number | null;
  answer!: object | null;
  /** The table of the created row. The response is repeated only while that row exists. */
  subjectTable!: KeptSubject['table'] | null;
  subjectId!: number | null;
  createdAt!: Date;
}

export function idempotencySchema(dialect: Dialect): EntitySchema<IdempotencyRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<IdempotencyRow>({
    name: 'IdempotencyRow',
    target: IdempotencyRow,
    tableName: 'idempotency',
    columns: {
      keyHash: columns.exact(64, { name: 'key_hash', primary: true }),
      bodyHmac: columns.exact(64, { name: 'body_hmac' }),
      leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
      status: columns.integer({ nullable: true }),
      answer: columns.json({ nullable: true }),
      subjectTable: columns.exact(16, { name: 'subject_table', nullable: true }),
      subjectId: columns.big({ name: 'subject_id', nullable: true }),
      createdAt: columns.time({ name: 'created_at' }),
    } satisfies ColumnsOf<IdempotencyRow>,
    indices: [{ name: 'ix_idempotency_created', columns: ['createdAt'] }],
  });
}

export class TypeormIdempotencyStore extends IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly secretKey: string,
  ) {
    super();
  }

  override begin(request: IdempotentRequest, now: Date): Promise<KeptAnswer | null> {
    return this.unitOfWork.run(async () => {
      const row = await this.lock(keyHash(request));
      if (row !== null && (await this.stillCounts(row, request, now))) return this.repeat(row, request);
      if (row !== null) await this.remove(row);
      await this.lease(request, now);
      return null;
    });
  }

  override async keep(
    request: IdempotentRequest,
    begunAt: Date,
    { status, body }: KeptAnswer,
    subject: KeptSubject,
  ): Promise<void> {
    const { affected } = await this.database.manager.update<IdempotencyRow>(IdempotencyRow, leaseOf(request, begunAt), {
      leasedUntil: null,
      status,
      answer: body,
      subjectTable: subject.table,
      subjectId: subject.id,
    });
    if (affected !== 1) throw new AppError('idempotency_in_progress');
  }

  override async free(request: IdempotentRequest, begunAt: Date): Promise<void> {
    // Also while the changes of its caller are refused.
    await this.database.turns.of(null, () => this.database.manager.delete(IdempotencyRow, leaseOf(request, begunAt)));
  }

  override findAll(requests: readonly IdempotentRequest[], now: Date): Promise<KeptOutcome[]> {
    return this.outcomes(requests, now, '');
  }

  override async reserveAll(requests: readonly IdempotentRequest[], now: Date): Promise<KeptOutcome[]> {
    if (requests.length === 0) return [];
    const outcomes = await this.outcomes(requests, now, this.database.dialect.forUpdate);
    const fresh = requests.filter((_, index) => outcomes[index] === null);
    if (fresh.length === 0) return outcomes;
    // Outdated rows of these keys.
    await deleteRequests(this.database, fresh.map(keyHash));
    const hashed = fresh.map((request) => ({ keyHash: keyHash(request), bodyHmac: this.hmac(request) }));
    try {
      await insertRequests(this.database, hashed, new Date(now.getTime() + LEASE_MS), now);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('idempotency_in_progress', { cause: error }) : error;
    }
    return outcomes;
  }

  override async keepAll(kept: readonly KeptRequest[]): Promise<void> {
    if (kept.length === 0) return;
    const rows = kept.map(({ request, answer, subject }) => ({ keyHash: keyHash(request), answer, subject }));
    await storeAnswers(this.database, rows);
  }

  override async freeAll(requests: readonly IdempotentRequest[]): Promise<void> {
    if (requests.length === 0) return;
    await this.database.turns.of(null, () => deleteRequests(this.database, requests.map(keyHash)));
  }

  private async outcomes(requests: readonly IdempotentRequest[], now: Date, lock: string): Promise<KeptOutcome[]> {
    if (requests.length === 0) return [];
    const rows = await readRequests(this.database, requests.map(keyHash), lock);
    const isCurrent = await this.currentOnes([...rows.values()], scopeOfAll(requests), now);
    return requests.map((request) => {
      const row = rows.get(keyHash(request));
      if (row === undefined || !isCurrent(row)) return null;
      if (lock === '' && row.status === null) return null;
      try {
        return this.repeat(row, request);
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    });
  }

  /** Like `stillCounts`, with one statement for the created rows of each table. */
  private async currentOnes(
    rows: readonly StoredRequest[],
    scope: PartnerScope,
    now: Date,
  ): Promise<(row: StoredRequest) => boolean> {
    const subjects = new Map<string, Set<number>>();
    for (const name of new Set(rows.flatMap(({ subjectTable: table }) => (table === null ? [] : [table])))) {
      const table = subjectTable(name);
      const ids = rows.flatMap((row) => (row.subjectTable === name && row.subjectId !== null ? [row.subjectId] : []));
      subjects.set(name, await existingSubjects(this.database, table, ids, scope));
    }
    return ({ status, leasedUntil, createdAt, subjectTable: table, subjectId }) => {
      if (status === null) return leasedUntil !== null && leasedUntil > now;
      if (createdAt.getTime() < now.getTime() - KEPT_MS) return false;
      return subjects.get(table ?? '')?.has(subjectId ?? 0) === true;
    };
  }

  override async purge(now: Date): Promise<number> {
    // Plain SQL, because TypeORM cannot limit the rows of a DELETE.
    const { affected } = await this.database.write(
      `DELETE FROM idempotency WHERE key_hash IN (
         SELECT key_hash FROM (SELECT key_hash FROM idempotency WHERE created_at < ? LIMIT ?) AS old)`,
      [now.getTime() - KEPT_MS, ROWS_PER_PURGE],
    );
    return affected;
  }

  /** Waits for a request that is storing its response. */
  private lock(hash: string): Promise<IdempotencyRow | null> {
    return this.database.manager
      .createQueryBuilder(IdempotencyRow, 'i')
      .where('i.keyHash = :hash', { hash })
      .setLock('pessimistic_write')
      .getOne();
  }

  /** A response is valid for a day and while the caller has the created row; a lease until it ends. */
  private async stillCounts(row: IdempotencyRow, { scope }: IdempotentRequest, now: Date): Promise<boolean> {
    return (await this.currentOnes([row], scope, now))(row);
  }

  private repeat({ bodyHmac, status, answer }: StoredRequest, request: IdempotentRequest): KeptAnswer {
    if (!timingSafeEqual(Buffer.from(bodyHmac), Buffer.from(this.hmac(request)))) {
      throw new AppError('idempotency_key_reused');
    }
    if (status === null || answer === null) throw new AppError('idempotency_in_progress');
    return { status, body: answer as KeptAnswer['body'] };
  }

  /** When several requests find the same outdated row, one removes it. The others retry and find the new lease. */
  private async remove({ keyHash: hash, createdAt, leasedUntil }: IdempotencyRow): Promise<void> {
    const { affected } = await this.database.manager.delete(IdempotencyRow, {
      keyHash: hash,
      createdAt,
      leasedUntil: leasedUntil ?? IsNull(),
    });
    requireUnchanged(affected ?? 0, 1);
  }

  private async lease(request: IdempotentRequest, now: Date): Promise<void> {
    try {
      await this.database.manager.insert<IdempotencyRow>(IdempotencyRow, {
        keyHash: keyHash(request),
        bodyHmac: this.hmac(request),
        leasedUntil: new Date(now.getTime() + LEASE_MS),
        createdAt: now,
      });
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('idempotency_in_progress', { cause: error }) : error;
    }
  }

  private hmac(request: IdempotentRequest): string {
    return createHmac('sha256', this.secretKey).update(request.fingerprint).digest('hex');
  }
}

/** The requests are those of one caller. */
function scopeOfAll([first]: readonly IdempotentRequest[]): PartnerScope {
  if (first === undefined) throw new Error('There is no request');
  return first.scope;
}

/** Two leases of a key begin at different times, because the second one begins after the end of the first one. */
function leaseOf(request: IdempotentRequest, begunAt: Date): FindOptionsWhere<IdempotencyRow> {
  return { keyHash: keyHash(request), createdAt: begunAt, status: IsNull() };
}

function keyHash({ caller, key }: IdempotentRequest): string {
  return hash('sha256', `${caller}\n${key}`);
}

/** Checks a stored table name before it becomes part of a statement. */
function subjectTable(name: unknown): KeptSubject['table'] {
  if (name === 'domain' || name === 'mailbox' || name === 'alias' || name === 'api_key') return name;
  throw new Error(`Unknown table ${String(name)}`);
}
