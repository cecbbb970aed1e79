import { Clock } from '@mailstead/core/clock';
import { Meters } from '@mailstead/core/meters';
import { needs } from '@mailstead/core/needs';
import { Session, type SessionOwner, sessionBoundOf } from '@mailstead/core/sessions/session';
import { type FoundSession, SessionRepository } from '@mailstead/core/sessions/session-repository';
import { EntitySchema } from 'typeorm';
import { LastUsedStamps } from '../api-keys/last-used-stamps.js';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database, placeholders } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { SessionStatements } from './session-statements.js';

export function sessionSchema(dialect: Dialect): EntitySchema<Session> {
  const columns = new Columns(dialect);
  const endsWith = (target: string, column: string, name: string) => ({
    target,
    columnNames: [column],
    referencedColumnNames: ['id'],
    name,
    onDelete: 'CASCADE' as const,
    onUpdate: 'NO ACTION' as const,
  });
  return new EntitySchema<Session>({
    name: 'Session',
    target: Session,
    tableName: 'portal_session',
    columns: {
      id: columns.id(),
      tokenHash: columns.exact(64, { name: 'token_hash' }),
      keyId: columns.ref({ name: 'key_id', nullable: true }),
      operatorHash: columns.exact(64, { name: 'operator_hash', nullable: true }),
      linkId: columns.ref({ name: 'link_id', nullable: true }),
      createdAt: columns.time({ name: 'created_at' }),
      lastUsedAt: columns.time({ name: 'last_used_at' }),
      expiresAt: columns.time({ name: 'expires_at' }),
    } satisfies ColumnsOf<Session>,
    uniques: [{ name: 'uq_portal_session_token_hash', columns: ['tokenHash'] }],
    indices: [
      { name: 'ix_portal_session_key', columns: ['keyId', 'id'] },
      { name: 'ix_portal_session_operator', columns: ['operatorHash', 'id'] },
      { name: 'ix_portal_session_link', columns: ['linkId', 'id'] },
      { name: 'ix_portal_session_expires', columns: ['expiresAt'] },
    ],
    foreignKeys: [
      endsWith('ApiKey', 'keyId', 'fk_portal_session_key'),
      endsWith('PortalLink', 'linkId', 'fk_portal_session_link'),
    ],
  });
}

@needs(Database, LastUsedStamps, Clock, Meters)
export class TypeormSessionRepository extends SessionRepository {
  private readonly statements: SessionStatements;

  constructor(
    private readonly database: Database,
    private readonly stamps: LastUsedStamps,
    clock: Clock,
    meters: Meters,
  ) {
    super();
    this.statements = new SessionStatements(database, clock, meters);
  }

  override findByHash(tokenHash: string): Promise<FoundSession | null> {
    return this.statements.findByHash(tokenHash);
  }

  override async add(session: Session, owner: SessionOwner): Promise<Session> {
    await this.database.manager.insert(Session, session);
    const { most, ends } = sessionBoundOf(owner);
    await (ends === 'oldest' ? this.endOldest(owner, most) : this.endUnused(owner, most));
    return session;
  }

  private async endOldest(owner: SessionOwner, most: number): Promise<void> {
    const [column, value] = columnOf(owner);
    const [oldest] = await this.database.read(
      `SELECT id FROM portal_session WHERE ${column} = ? ORDER BY id DESC LIMIT 1 OFFSET ?`,
      [value, most],
    );
    // One range from its beginning, so that logins at once delete in the same order and do not deadlock.
    if (oldest !== undefined) {
      await this.database.write(`DELETE FROM portal_session WHERE ${column} = ? AND id <= ?`, [
        value,
        Number(oldest.id),
      ]);
    }
  }

  private async endUnused(owner: SessionOwner, most: number): Promise<void> {
    const [column, value] = columnOf(owner);
    const rows = await this.database.read(
      `SELECT id FROM portal_session WHERE ${column} = ? ORDER BY last_used_at DESC, id DESC LIMIT 100 OFFSET ?`,
      [value, most],
    );
    // In the same order in each login, so that logins at once do not deadlock.
    const ids = rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
    if (ids.length > 0) await this.database.write(`DELETE FROM portal_session WHERE id IN (${placeholders(ids)})`, ids);
  }

  override list(owner: SessionOwner): Promise<Session[]> {
    return this.database.manager.find(Session, { where: whereOf(owner), order: { id: 'ASC' } });
  }

  override async remove(owner: SessionOwner, id: number): Promise<boolean> {
    const { affected } = await this.database.manager.delete(Session, { ...whereOf(owner), id });
    return affected === 1;
  }

  override async removeAll(owner: SessionOwner): Promise<void> {
    await this.database.manager.delete(Session, whereOf(owner));
  }

  override touch(session: Session, at: Date): void {
    this.stamps.note('portal_session', session.id, at);
    if (session.keyId !== null) this.stamps.note('api_key', session.keyId, at);
  }

  override async deleteExpired(now: Date, limit: number): Promise<number> {
    const sql = this.database.dialect.deleteSome('portal_session', 'expires_at <= ?');
    return (await this.database.write(sql, [now.getTime(), limit])).affected;
  }
}

function columnOf(owner: SessionOwner): [column: string, value: string | number] {
  if (owner.kind === 'operator') return ['operator_hash', owner.tokenHash];
  return [owner.kind === 'key' ? 'key_id' : 'link_id', owner.id];
}

function whereOf(owner: SessionOwner): { operatorHash: string } | { keyId: number } | { linkId: number } {
  if (owner.kind === 'operator') return { operatorHash: owner.tokenHash };
  return owner.kind === 'key' ? { keyId: owner.id } : { linkId: owner.id };
}
