import { STORED_REASONS } from '@mailstead/core/attention/attention';
import { utcDay } from '@mailstead/core/clock';
import { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { type NameHistory, TOMBSTONE_MS, type Tombstone } from '@mailstead/core/domains/tombstone';
import { type Deletion, TombstoneRepository } from '@mailstead/core/domains/tombstone-repository';
import type { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import { needs } from '@mailstead/core/needs';
import { type Actor, actorName } from '@mailstead/core/operators/actor';
import { Verification } from '@mailstead/core/relay/verification';
import { IsNull, Not } from 'typeorm';
import { leaveKeys } from '../api-keys/leaving-domain.js';
import { Database } from '../driver/database.js';
import { removeReasons } from '../finding/attention-rows.js';
import { handOverSuppressions } from '../suppressions/suppression-counts.js';
import { closeLeft } from '../usage/close-usage.js';
import { copyCounted, takeOverDay } from '../usage/usage-statements.js';
import { lockBegun, movePieceOfDomain, noteBegun, noteEnded } from './domain-deletions.js';
import { handOverOutboundRows } from './hand-over-statements.js';
import { TombstoneRow } from './tombstone-schemas.js';
import {
  copyDomain,
  copyOutboundRows,
  deleteOutboundRows,
  lastDailyLimit,
  lastHolder,
  moveAliasesIntoDomain,
  moveAliasesOfDomain,
  moveMailbox,
  moveMailboxesOfDomain,
  uncountAliasesIntoDomain,
  uncountAliasesIntoMailbox,
} from './tombstone-statements.js';

/** The end of the grace of a deletion that is not finished: no purge of any release erases it. */
const NEVER = new Date('9999-12-31T00:00:00.000Z');

type Kept = Pick<TombstoneRow, 'kind' | 'name' | 'partnerId' | 'domainId' | 'mailboxes' | 'aliases'>;

/** A row of `deleted_domain` with its tombstone. */
interface KeptDomain extends Domain {
  tombstoneId: number;
  tombstone: TombstoneRow;
  /** Null when an earlier release did not keep it. */
  verification: Pick<Verification, 'ownershipToken' | 'ownershipRequired' | 'ownershipSeenAt'> | null;
}

@needs(Database)
export class TypeormTombstoneRepository extends TombstoneRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofName(name: DomainName, partnerId: number, now: Date): Promise<NameHistory> {
    const last = await lastHolder(this.database, name);
    if (last === null) return { own: null, last };
    const own = await this.keptDomains()
      .andWhere('t.name = :name AND t.partnerId = :partnerId AND t.deletedAt > :since', {
        name,
        partnerId,
        since: now.getTime() - TOMBSTONE_MS,
      })
      .orderBy('t.deletedAt', 'DESC')
      .addOrderBy('t.id', 'DESC')
      .limit(1)
      .getOne();
    return { own: own === null ? null : toTombstone(own), last };
  }

  override async find(id: number): Promise<Tombstone | null> {
    const found = await this.keptDomains().where('t.id = :id', { id }).getOne();
    return found === null ? null : toTombstone(found);
  }

  override async ofChildren({ id, partnerId }: Domain): Promise<Tombstone[]> {
    const children = await this.keptDomains()
      .andWhere('t.partnerId = :partnerId AND d.parentId = :id', { partnerId, id })
      .getMany();
    return children.map(toTombstone);
  }

  override async saveHolds({ id, domain }: Tombstone): Promise<void> {
    const { suspensionCauses, outboundStatus, blockedReason, blockedAt } = domain;
    await this.database.manager.update(
      'DeletedDomainRow',
      { tombstoneId: id },
      { suspensionCauses, outboundStatus, blockedReason, blockedAt },
    );
  }

  override async moveDomainAside(domain: Domain, deletion: Deletion): Promise<void> {
    const { id: domainId, name, partnerId, mailboxCount, aliasCount } = domain;
    const foreign = await uncountAliasesIntoDomain(this.database, domainId);
    const id = await this.archive(
      { kind: 'domain', name, partnerId, domainId, mailboxes: mailboxCount, aliases: aliasCount + foreign },
      deletion,
    );
    await this.moveRest(id, domainId, deletion.at);
  }

  override async beginDeletion({ id: domainId, name, partnerId }: Domain, { actor, at, expiresAt }: Deletion) {
    const kept = { kind: 'move', name, partnerId, domainId, mailboxes: 0, aliases: 0 } as const;
    const tombstoneId = await this.archive(kept, { actor, at, expiresAt: NEVER });
    await noteBegun(this.database, domainId, { tombstoneId, expiresAt });
  }

  override async movePiece({ id: domainId }: Domain): Promise<number | null> {
    const begun = await lockBegun(this.database, domainId);
    if (begun === null) return null;
    const { tombstoneId } = begun;
    const { mailboxes, aliases } = await movePieceOfDomain(this.database, tombstoneId, domainId);
    await this.database.write('UPDATE tombstone SET mailboxes = mailboxes + ?, aliases = aliases + ? WHERE id = ?', [
      mailboxes,
      aliases,
      tombstoneId,
    ]);
    return mailboxes + aliases;
  }

  override async endDeletion(domainId: number, domain: Domain | null, at: Date): Promise<void> {
    const begun = await lockBegun(this.database, domainId);
    if (begun === null) return;
    const { tombstoneId: id, expiresAt } = begun;
    await noteEnded(this.database, domainId);
    const ended = { kind: 'domain', expiresAt } as const;
    if (domain === null) {
      // A process of the former release (@until 5.3) deleted the rest under a tombstone of its own. These rows only
      // wait for their erasure.
      await this.database.manager.update(TombstoneRow, { id }, { ...ended, closedAt: at });
      return;
    }
    const { partnerId } = domain;
    await this.database.manager.update(TombstoneRow, { id }, { ...ended, partnerId, countersId: domainId });
    await this.moveRest(id, domainId, at);
  }

  /** Moves all rows that are left, the last of them that of the domain. */
  private async moveRest(id: number, domainId: number, at: Date): Promise<void> {
    await copyDomain(this.database, id, domainId);
    await moveAliasesOfDomain(this.database, id, domainId);
    await moveAliasesIntoDomain(this.database, id, domainId);
    await moveMailboxesOfDomain(this.database, id, domainId);
    await closeLeft(this.database, domainId, at, 'deleted');
    await this.database.manager.delete(Verification, { domainId });
    await leaveKeys(this.database, domainId);
    await this.database.manager.delete(Domain, { id: domainId });
    await removeReasons(this.database, domainId, STORED_REASONS);
  }

  override async moveMailboxAside(mailbox: Mailbox, partnerId: number, deletion: Deletion): Promise<number> {
    const aliases = await uncountAliasesIntoMailbox(this.database, mailbox.id);
    const id = await this.archive(
      { kind: 'mailbox', name: mailbox.email, partnerId, domainId: mailbox.domainId, mailboxes: 1, aliases },
      deletion,
    );
    await moveMailbox(this.database, id, mailbox.id);
    return aliases;
  }

  override lastDailyLimit(email: string, partnerId: number): Promise<number | null> {
    return lastDailyLimit(this.database, email, partnerId);
  }

  override async keepMoved({ id: domainId, name, partnerId }: Domain, actor: Actor, at: Date): Promise<void> {
    await closeLeft(this.database, domainId, at, 'moved');
    const kept = { kind: 'move', name, partnerId, domainId, mailboxes: 0, aliases: 0 } as const;
    const id = await this.archive(kept, { actor, at, expiresAt: at });
    await this.database.manager.update(TombstoneRow, { id }, { countersId: -id, erasedAt: at, mailRemovedAt: at });
    await copyDomain(this.database, id, domainId);
    await copyOutboundRows(this.database, domainId, -id, utcDay(at));
    await copyCounted(this.database, domainId, -id);
  }

  override async handOver(tombstone: Tombstone, { id: heirId, name, partnerId }: Domain, now: Date): Promise<void> {
    await handOverOutboundRows(this.database, tombstone.countersId, heirId, now);
    await handOverSuppressions(this.database, tombstone.countersId, heirId);
    const used = await this.database.manager.findBy(TombstoneRow, {
      name,
      partnerId,
      kind: Not('mailbox'),
      heirId: IsNull(),
    });
    for (const row of used) {
      // The deletion that is restored: its counters are those of the heir.
      if (row.countersId === heirId) continue;
      if (row.mailboxes + row.aliases > 0) await this.database.manager.update(TombstoneRow, { id: row.id }, { heirId });
      else await this.remove(row);
    }
  }

  override async noteHolder({ id, name, partnerId }: Domain, at: Date): Promise<void> {
    const { manager } = this.database;
    const others = { partnerId: Not(partnerId), otherHolderAt: IsNull() };
    await manager.update(TombstoneRow, { ...others, name }, { otherHolderAt: at });
    await takeOverDay(this.database, utcDay(at), name, partnerId);
    await manager.update(TombstoneRow, { ...others, domainId: id, kind: 'mailbox' }, { otherHolderAt: at });
  }

  /**
   * Removes a used tombstone without mailboxes and aliases, so that repeated deletion and creation leaves only one row.
   */
  private async remove({ id, countersId }: TombstoneRow): Promise<void> {
    await deleteOutboundRows(this.database, countersId === null ? [] : [countersId]);
    await this.database.manager.delete('DeletedVerificationRow', { tombstoneId: id });
    await this.database.manager.delete('DeletedDomainRow', { tombstoneId: id });
    await this.database.manager.delete(TombstoneRow, { id });
  }

  private async archive(kept: Kept, { actor, at, expiresAt }: Deletion): Promise<number> {
    const row = Object.assign(new TombstoneRow(), {
      ...kept,
      actorKind: actor.kind,
      actor: actorName(actor),
      deletedAt: at,
      expiresAt,
      countersId: kept.kind === 'domain' ? kept.domainId : null,
    });
    await this.database.manager.insert(TombstoneRow, row);
    return row.id;
  }

  /** The deleted domains that no later domain of the same partner took over. */
  private keptDomains() {
    return this.database.manager
      .createQueryBuilder<KeptDomain>('DeletedDomainRow', 'd')
      .innerJoinAndMapOne('d.tombstone', TombstoneRow, 't', 't.id = d.tombstoneId')
      .leftJoinAndMapOne('d.verification', 'DeletedVerificationRow', 'v', 'v.tombstoneId = d.tombstoneId')
      .where("t.kind <> 'mailbox' AND t.heirId IS NULL");
  }
}

function toTombstone({ tombstoneId, tombstone, verification, ...fields }: KeptDomain): Tombstone {
  return {
    id: tombstoneId,
    countersId: Number(tombstone.countersId),
    domain: Object.assign(Object.create(Domain.prototype) as Domain, fields, { partnerRef: null, partnerStage: null }),
    ownership:
      verification === null
        ? null
        : {
            token: verification.ownershipToken,
            required: verification.ownershipRequired,
            seen: verification.ownershipSeenAt !== null,
          },
  };
}
