import type { Clock } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import { PortalLink } from '@mailstead/core/portal-links/portal-link';
import type { FoundLink } from '@mailstead/core/portal-links/portal-link-repository';
import { KeyChains } from '../api-keys/key-chains.js';
import { withLowestLimits } from '../api-keys/lowest-limits.js';
import { type Database, type Parameter, placeholders, type Row } from '../driver/database.js';
import { Table } from '../driver/table.js';

/**
 * Reads links with all that decides who enters with them: the domain, the partner, and the key that made them with its
 * makers. Codes and sessions are looked up with the same statement, so that both are equally wide.
 */
export class PortalLinkRows {
  private readonly chains: KeyChains;
  private readonly links: Table<PortalLink>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.chains = new KeyChains(database);
    this.links = new Table(database, PortalLink);
  }

  /** Finds links, except those whose domain has moved to another partner. */
  async find(column: 'id' | 'code_hash', values: readonly Parameter[]): Promise<FoundLink[]> {
    if (values.length === 0) return [];
    const rows = await this.database.read(
      `SELECT ${this.links.columns('l')}, d.name AS d__name, ${this.chains.columns}
         FROM portal_link l
         JOIN domain d ON d.id = l.domain_id AND d.partner_id = l.partner_id
         JOIN partner p ON p.id = l.partner_id
         LEFT JOIN api_key k0 ON k0.id = l.key_id ${this.chains.makerJoins}
        WHERE l.${column} IN (${placeholders(values)})`,
      [...values],
    );
    const found = rows.map((row) => this.hydrate(row));
    return withLowestLimits(this.database, found, this.clock.now());
  }

  private hydrate(row: Row): FoundLink {
    const partnerRef = row.ref === '' ? null : (row.ref as PartnerRef);
    return {
      link: this.links.hydrate(row, 'l', { domainName: row.d__name as DomainName, partnerRef }),
      partnerStage: row.stage as PartnerStage | null,
      chain: this.chains.hydrateOptional(row),
      lowestLimits: null,
    };
  }
}
