import type { KeptAnswer, KeptSubject } from '@mailstead/core/operators/idempotency-store';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { type Database, placeholders, type Row, textOrNull } from '../driver/database.js';
import { Filter } from '../driver/filter.js';

/*
 * Plain SQL: a bulk of 500 items reserves and stores its keys in a few statements, where TypeORM would send 1,500
 * (`docs/performance.md`).
 */

/** A row of `idempotency`, as `IdempotencyRow` describes it. */
export interface StoredRequest {
  keyHash: string;
  bodyHmac: string;
  leasedUntil: Date | null;
  status: number | null;
  answer: object | null;
  subjectTable: string | null;
  subjectId: number | null;
  createdAt: Date;
}

/** A key with the HMAC of its body. */
export interface HashedRequest {
  keyHash: string;
  bodyHmac: string;
}

/** @param lock a lock clause of the dialect, or the empty string */
export async function readRequests(
  database: Database,
  keyHashes: readonly string[],
  lock: string,
): Promise<Map<string, StoredRequest>> {
  const rows = await database.read(
    `SELECT key_hash, body_hmac, leased_until, status, answer, subject_table, subject_id, created_at
       FROM idempotency WHERE key_hash IN (${placeholders(keyHashes)})${lock}`,
    [...keyHashes],
  );
  return new Map(rows.map((row) => [String(row.key_hash), toStored(row)]));
}

/** @returns the ids of those rows that exist in the scope: a domain may have moved, and a key may have been limited */
export async function existingSubjects(
  database: Database,
  table: KeptSubject['table'],
  ids: readonly number[],
  scope: PartnerScope,
): Promise<Set<number>> {
  const filter = new Filter(`t.id IN (${placeholders(ids)})`, ...ids);
  if (table === 'mailbox' || table === 'alias') filter.withinDomains(scope, undefined, 't.domain_id');
  else if (table === 'domain') filter.inScope(scope, 't.partner_id', 't.id');
  else if (scope !== 'all') filter.and('t.partner_id = ?', scope.partnerId);
  const rows = await database.read(`SELECT t.id FROM ${table} t WHERE ${filter.sql}`, filter.parameters);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Inserts rows that no other transaction sees before they are completed by `storeAnswers`. */
export async function insertRequests(
  database: Database,
  requests: readonly HashedRequest[],
  leasedUntil: Date,
  now: Date,
): Promise<void> {
  // In one order, so that two transactions with the same keys wait for each other instead of deadlocking.
  const sorted = requests.toSorted((left, right) => (left.keyHash < right.keyHash ? -1 : 1));
  await database.write(
    `INSERT INTO idempotency (key_hash, body_hmac, leased_until, created_at) VALUES ${sorted.map(() => '(?, ?, ?, ?)').join(', ')}`,
    sorted.flatMap(({ keyHash, bodyHmac }) => [keyHash, bodyHmac, leasedUntil.getTime(), now.getTime()]),
  );
}

/** Completes rows of `insertRequests`. They exist, so only the columns of the response are written. */
export async function storeAnswers(
  database: Database,
  kept: readonly { keyHash: string; answer: KeptAnswer; subject: KeptSubject }[],
): Promise<void> {
  const { dialect } = database;
  const columns = ['status', 'answer', 'subject_table', 'subject_id', 'leased_until'];
  await database.write(
    `INSERT INTO idempotency (key_hash, body_hmac, created_at, ${columns.join(', ')})
     VALUES ${kept.map(() => "(?, '', 0, ?, ?, ?, ?, NULL)").join(', ')}
     ${dialect.onConflict(['key_hash'])} ${columns.map((column) => `${column} = ${dialect.inserted(column)}`).join(', ')}`,
    kept.flatMap(({ keyHash, answer, subject }) => [
      keyHash,
      answer.status,
      JSON.stringify(answer.body),
      subject.table,
      subject.id,
    ]),
  );
}

export async function deleteRequests(database: Database, keyHashes: readonly string[]): Promise<void> {
  await database.write(`DELETE FROM idempotency WHERE key_hash IN (${placeholders(keyHashes)})`, [...keyHashes]);
}

function toStored(row: Row): StoredRequest {
  const numberOf = (value: unknown) => (value === null ? null : Number(value));
  return {
    keyHash: String(row.key_hash),
    bodyHmac: String(row.body_hmac),
    leasedUntil: row.leased_until === null ? null : new Date(Number(row.leased_until)),
    status: numberOf(row.status),
    answer: typeof row.answer === 'string' ? (JSON.parse(row.answer) as object) : null,
    subjectTable: textOrNull(row.subject_table),
    subjectId: numberOf(row.subject_id),
    createdAt: new Date(Number(row.created_at)),
  };
}
