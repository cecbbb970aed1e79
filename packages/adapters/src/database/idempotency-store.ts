import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import {
  IdempotencyStore,
  type IdempotentRequest,
  type KeptAnswer,
  type KeptSubject,
} from '@mailstead/core/operators/idempotency-store';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Database, Row } from './driver/database.js';
import { isDuplicateError } from './driver/database-error.js';
import { requireUnchanged } from './driver/row-changed-error.js';

const LEASE_MS = 60 * SECOND_MS;
const KEPT_MS = DAY_MS;
const ROWS_PER_PURGE = 5_000;

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
      const hash = keyHash(request);
      const rows = await this.database.read(`SELECT * FROM idempotency WHERE key_hash = ?${this.database.forUpdate}`, [
        hash,
      ]);
      const row = rows[0];
      if (row !== undefined && (await this.stillCounts(row, now))) return this.repeat(row, request);
      if (row !== undefined) await this.remove(row);
      await this.lease(hash, request, now);
      return null;
    });
  }

  override async keep(request: IdempotentRequest, answer: KeptAnswer, subject: KeptSubject): Promise<void> {
    await this.database.write(
      'UPDATE idempotency SET leased_until = NULL, status = ?, answer = ?, subject_table = ?, subject_id = ? WHERE key_hash = ?',
      [answer.status, JSON.stringify(answer.body), subject.table, subject.id, keyHash(request)],
    );
  }

  override async free(request: IdempotentRequest): Promise<void> {
    await this.database.write('DELETE FROM idempotency WHERE key_hash = ? AND status IS NULL', [keyHash(request)]);
  }

  override async purge(now: Date): Promise<number> {
    const { affected } = await this.database.write(
      `DELETE FROM idempotency WHERE key_hash IN (
         SELECT key_hash FROM (SELECT key_hash FROM idempotency WHERE created_at < ? LIMIT ?) AS old)`,
      [now.getTime() - KEPT_MS, ROWS_PER_PURGE],
    );
    return affected;
  }

  /** A kept answer counts for a day and as long as what it tells of exists; a lease counts until it runs out. */
  private async stillCounts(row: Row, now: Date): Promise<boolean> {
    if (row.status === null) return Number(row.leased_until) > now.getTime();
    if (Number(row.created_at) < now.getTime() - KEPT_MS) return false;
    const table = subjectTable(row.subject_table);
    const subject = await this.database.read(`SELECT id FROM ${table} WHERE id = ?`, [Number(row.subject_id)]);
    return subject.length > 0;
  }

  private repeat(row: Row, request: IdempotentRequest): KeptAnswer {
    if (!timingSafeEqual(Buffer.from(String(row.body_hmac)), Buffer.from(this.hmac(request)))) {
      throw new AppError('idempotency_key_reused');
    }
    if (row.status === null) throw new AppError('idempotency_in_progress');
    return { status: Number(row.status), body: JSON.parse(String(row.answer)) as Record<string, unknown> };
  }

  /** Of several who find the same outdated row, one removes it. The others meet the lease of that one. */
  private async remove({ key_hash: hash, created_at: createdAt, leased_until: leasedUntil }: Row): Promise<void> {
    const { affected } = await this.database.write(
      'DELETE FROM idempotency WHERE key_hash = ? AND created_at = ? AND COALESCE(leased_until, 0) = ?',
      [String(hash), Number(createdAt), Number(leasedUntil ?? 0)],
    );
    requireUnchanged(affected, 1);
  }

  private async lease(hash: string, request: IdempotentRequest, now: Date): Promise<void> {
    try {
      await this.database.write(
        'INSERT INTO idempotency (key_hash, body_hmac, leased_until, created_at) VALUES (?, ?, ?, ?)',
        [hash, this.hmac(request), now.getTime() + LEASE_MS, now.getTime()],
      );
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('idempotency_in_progress', { cause: error }) : error;
    }
  }

  private hmac(request: IdempotentRequest): string {
    return createHmac('sha256', this.secretKey).update(request.fingerprint).digest('hex');
  }
}

function keyHash({ caller, key }: IdempotentRequest): string {
  return hash('sha256', `${caller}\n${key}`);
}

/** Guards the one place where a stored word becomes part of a statement. */
function subjectTable(name: unknown): KeptSubject['table'] {
  if (name === 'domain' || name === 'mailbox' || name === 'alias' || name === 'api_key') return name;
  throw new Error(`Unknown table ${String(name)}`);
}
