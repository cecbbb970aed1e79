import { setImmediate } from 'node:timers/promises';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import { type DeletedHome, DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Database, type Parameter, placeholders } from '../driver/database.js';
import { deleteOutboundRows } from './tombstone-statements.js';

/*
 * Plain SQL: the nightly job erases and deletes up to a thousand rows with each statement, without reading them.
 */

const TOMBSTONES_PER_BATCH = 200;
const ROWS_PER_BATCH = 1_000;
/** Tombstones that are no longer needed for the history of a name. */
const NOT_NEEDED = "(kind = 'mailbox' OR heir_id IS NOT NULL)";

interface Due {
  id: number;
  countersId: number | null;
  isMailRemoved: boolean;
  rows: number;
}

@needs(Database, UnitOfWork)
export class SqlDeletedRows extends DeletedRows {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async erase(now: Date): Promise<number> {
    const batch = await this.due('erased_at IS NULL AND expires_at <= ? ORDER BY expires_at, id', now.getTime());
    await this.close(batch, now);
    return this.eraseBatch(batch, now);
  }

  override async eraseOne(tombstoneId: number, now: Date): Promise<void> {
    await this.eraseBatch(await this.due('erased_at IS NULL AND id = ?', tombstoneId), now);
  }

  private async eraseBatch(batch: Due[], now: Date): Promise<number> {
    await this.inRanges(batch, 'deleted_mailbox', (range, parameters) => this.eraseHashes(range, parameters));
    await this.inRanges(batch, 'deleted_alias', (range, parameters) =>
      this.deleteFrom('deleted_alias', range, parameters),
    );
    return this.inTransaction(batch, async (ids, list) => {
      await this.eraseHashes(`tombstone_id IN (${list})`, ids);
      await this.deleteFrom('deleted_alias', `tombstone_id IN (${list})`, ids);
      const { affected } = await this.database.write(
        `UPDATE tombstone SET erased_at = ? WHERE id IN (${list}) AND erased_at IS NULL`,
        [now.getTime(), ...ids],
      );
      return affected;
    });
  }

  override async withMail(now: Date, { after, limit }: Page): Promise<{ id: number }[]> {
    const rows = await this.database.read(
      'SELECT id FROM tombstone WHERE mail_removed_at IS NULL AND id > ? AND expires_at <= ? AND erased_at IS NOT NULL ORDER BY id LIMIT ?',
      [after, now.getTime(), limit],
    );
    return rows.map((row) => ({ id: Number(row.id) }));
  }

  override async homes(tombstoneId: number, { after, limit }: Page): Promise<DeletedHome[]> {
    const rows = await this.database.read(
      'SELECT id, email, home FROM deleted_mailbox WHERE tombstone_id = ? AND id > ? ORDER BY id LIMIT ?',
      [tombstoneId, after, limit],
    );
    return rows.map((row) => ({ id: Number(row.id), email: String(row.email), home: String(row.home) }));
  }

  override async forgetHome(tombstoneId: number, id: number): Promise<void> {
    await this.database.write('DELETE FROM deleted_mailbox WHERE tombstone_id = ? AND id = ?', [tombstoneId, id]);
  }

  override async noteMailRemoved(tombstoneId: number, at: Date): Promise<void> {
    await this.database.write('UPDATE tombstone SET mail_removed_at = ? WHERE id = ? AND mail_removed_at IS NULL', [
      at.getTime(),
      tombstoneId,
    ]);
  }

  override async forget(deletedUntil: Date, withHomes: boolean): Promise<number> {
    const isDone = withHomes ? '' : ' AND (mail_removed_at IS NOT NULL OR counters_id IS NOT NULL)';
    let batch = await this.due(
      `deleted_at <= ? AND erased_at IS NOT NULL${isDone} ORDER BY deleted_at, id`,
      deletedUntil.getTime(),
    );
    if (batch.length === 0)
      batch = await this.due(`mail_removed_at > ? AND ${NOT_NEEDED} ORDER BY mail_removed_at, id`);
    const whole = withHomes ? batch : batch.filter(({ isMailRemoved }) => isMailRemoved);
    await this.inRanges(whole, 'deleted_mailbox', (range, parameters) =>
      this.deleteFrom('deleted_mailbox', range, parameters),
    );
    return this.inTransaction(batch, async (ids, list) => {
      const counted = batch.flatMap(({ countersId }) => (countersId === null ? [] : [countersId]));
      await deleteOutboundRows(this.database, counted);
      await this.deleteFrom('deleted_verification', `tombstone_id IN (${list})`, ids);
      await this.deleteFrom('deleted_domain', `tombstone_id IN (${list})`, ids);
      return (
        (await this.clearCounters(batch.filter((each) => !whole.includes(each)))) + (await this.deleteTombstones(whole))
      );
    });
  }

  /** @returns the number of changed rows, without those that another process handled meanwhile */
  private async clearCounters(some: readonly Due[]): Promise<number> {
    if (some.length === 0) return 0;
    const ids = some.map(({ id }) => id);
    const { affected } = await this.database.write(
      `UPDATE tombstone SET counters_id = NULL WHERE id IN (${placeholders(ids)}) AND counters_id IS NOT NULL`,
      ids,
    );
    return affected;
  }

  /** @returns the number of changed rows, without those that another process handled meanwhile */
  private async deleteTombstones(some: readonly Due[]): Promise<number> {
    if (some.length === 0) return 0;
    const ids = some.map(({ id }) => id);
    await this.deleteFrom('deleted_mailbox', `tombstone_id IN (${placeholders(ids)})`, ids);
    return this.deleteFrom('tombstone', `id IN (${placeholders(ids)})`, ids);
  }

  /** @returns the next tombstones that together have at most 1,000 rows, but at least one tombstone */
  private async due(where: string, parameter = 0): Promise<Due[]> {
    const rows = await this.database.read(
      `SELECT id, counters_id, mail_removed_at, mailboxes, aliases FROM tombstone WHERE ${where} LIMIT ?`,
      [parameter, TOMBSTONES_PER_BATCH],
    );
    const batch: Due[] = [];
    let total = 0;
    for (const row of rows) {
      const own = Number(row.mailboxes) + Number(row.aliases);
      total += own;
      if (batch.length > 0 && total > ROWS_PER_BATCH) break;
      batch.push({
        id: Number(row.id),
        countersId: row.counters_id === null ? null : Number(row.counters_id),
        isMailRemoved: row.mail_removed_at !== null,
        rows: own,
      });
    }
    return batch;
  }

  /** From the commit on, none of these deletions can be restored. Waits for restorations that have locked theirs. */
  private async close(batch: readonly Due[], now: Date): Promise<void> {
    if (batch.length === 0) return;
    const ids = batch.map(({ id }) => id);
    await this.database.write(
      `UPDATE tombstone SET closed_at = ? WHERE id IN (${placeholders(ids)}) AND closed_at IS NULL`,
      [now.getTime(), ...ids],
    );
  }

  /** A deletion with more than 1,000 rows is alone in its batch. Its rows are changed in ranges of ids first. */
  private async inRanges(
    [only]: Due[],
    table: 'deleted_mailbox' | 'deleted_alias',
    change: (range: string, parameters: Parameter[]) => Promise<unknown>,
  ): Promise<void> {
    if (only === undefined || only.rows <= ROWS_PER_BATCH) return;
    for (let after = 0; ; ) {
      const rows = await this.database.read(
        `SELECT id FROM ${table} WHERE tombstone_id = ? AND id > ? ORDER BY id LIMIT ?`,
        [only.id, after, ROWS_PER_BATCH],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      const range = [only.id, after, Number(last.id)];
      await this.unitOfWork.run(() => change('tombstone_id = ? AND id > ? AND id <= ?', range));
      after = Number(last.id);
      await setImmediate();
    }
  }

  private async eraseHashes(where: string, parameters: Parameter[]): Promise<void> {
    await this.database.write(`UPDATE deleted_mailbox SET password_hash = '', name = NULL WHERE ${where}`, parameters);
  }

  private async deleteFrom(table: string, where: string, parameters: Parameter[]): Promise<number> {
    return (await this.database.write(`DELETE FROM ${table} WHERE ${where}`, parameters)).affected;
  }

  private async inTransaction(batch: Due[], work: (ids: number[], list: string) => Promise<number>): Promise<number> {
    if (batch.length === 0) return 0;
    const ids = batch.map(({ id }) => id);
    const done = await this.unitOfWork.run(() => work(ids, placeholders(ids)));
    await setImmediate();
    return done;
  }
}
