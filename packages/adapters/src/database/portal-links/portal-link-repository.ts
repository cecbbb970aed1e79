import type { KeyLimits } from '@mailstead/core/api-keys/api-key';
import { Clock } from '@mailstead/core/clock';
import type { LinksOfDomain } from '@mailstead/core/domains/links-of-domain';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { PortalLink } from '@mailstead/core/portal-links/portal-link';
import { type FoundLink, PortalLinkRepository } from '@mailstead/core/portal-links/portal-link-repository';
import { In, MoreThan } from 'typeorm';
import { lowestLimits } from '../api-keys/lowest-limits.js';
import { Database } from '../driver/database.js';
import { ofPartner } from '../finding/conditions.js';
import { idsOfPage } from '../finding/id-search.js';
import { partnerOfList } from '../finding/partner-of-list.js';
import { PortalLinkRows } from './portal-link-rows.js';

@needs(Database, Clock)
export class TypeormPortalLinkRepository extends PortalLinkRepository implements LinksOfDomain {
  private readonly rows: PortalLinkRows;

  constructor(
    private readonly database: Database,
    clock: Clock,
  ) {
    super();
    this.rows = new PortalLinkRows(database, clock);
  }

  override async findByCode(codeHash: string): Promise<FoundLink | null> {
    const [found] = await this.rows.find('code_hash', [codeHash]);
    return found ?? null;
  }

  override async lockByCode(codeHash: string): Promise<boolean> {
    const lock = { mode: 'pessimistic_write' as const };
    return (await this.database.manager.findOne(PortalLink, { where: { codeHash }, lock })) !== null;
  }

  override async lock(scope: PartnerScope, id: number): Promise<PortalLink | null> {
    const link = await this.database.manager
      .createQueryBuilder(PortalLink, 'l')
      .where('l.id = :id', { id })
      .setLock('pessimistic_write')
      .getOne();
    return link === null || (scope !== 'all' && link.partnerId !== scope.partnerId) ? null : link;
  }

  override async page(
    { scope, partnerRef }: { scope: PartnerScope; partnerRef?: PartnerRef | undefined },
    page: Page,
  ): Promise<PortalLink[]> {
    const partner = await partnerOfList(this.database, scope, partnerRef);
    if (partner === null) return [];
    const index = this.database.dialect.byIndex(partner === 'all' ? 'PRIMARY' : 'ix_portal_link_partner');
    const conditions = ofPartner(partner, 'l.partner_id');
    const ids = await idsOfPage(this.database, { from: `portal_link l${index}`, id: 'l.id', conditions }, page);
    const order = { id: page.order === 'desc' ? ('DESC' as const) : ('ASC' as const) };
    return ids.length === 0 ? [] : this.database.manager.find(PortalLink, { where: { id: In(ids) }, order });
  }

  override async lowestLimits(partnerId: number, now: Date): Promise<KeyLimits | null> {
    return (await lowestLimits(this.database, [partnerId], now)).get(partnerId) ?? null;
  }

  override countOpenOfKey(keyId: number, now: Date): Promise<number> {
    return this.database.manager.countBy(PortalLink, { keyId, expiresAt: MoreThan(now) });
  }

  override async add(link: PortalLink): Promise<PortalLink> {
    await this.database.manager.insert(PortalLink, link);
    return link;
  }

  override async saveUse({ id, usedAt }: PortalLink): Promise<void> {
    await this.database.manager.update(PortalLink, { id }, { usedAt });
  }

  override async remove({ id }: PortalLink): Promise<void> {
    await this.database.manager.delete(PortalLink, { id });
  }

  async removeOfDomain(domainId: number): Promise<void> {
    await this.database.manager.delete(PortalLink, { domainId });
  }

  override async deleteExpired(before: Date, limit: number): Promise<number> {
    const sql = this.database.dialect.deleteSome('portal_link', 'expires_at <= ?');
    return (await this.database.write(sql, [before.getTime(), limit])).affected;
  }
}
