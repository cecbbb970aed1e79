import type { DomainName } from '@mailstead/core/domains/domain-name';
import { FirstFactsReader } from '@mailstead/core/first-steps/first-facts-reader';
import type { FirstDomain, FirstFacts } from '@mailstead/core/first-steps/first-steps';
import type { Address } from '@mailstead/core/mailboxes/address';
import { needs } from '@mailstead/core/needs';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { Database, placeholders } from '../driver/database.js';
import { NO_ID } from '../driver/filter.js';
import { condition, ofPartner } from '../finding/conditions.js';
import { partnerOfList } from '../finding/partner-of-list.js';
import type { Condition } from '../finding/search-plan.js';
import { verificationCondition } from '../finding/verification-condition.js';
import { ALL_PARTNERS } from '../outbound/partner-days.js';

/** Domains with a mailbox, or mailboxes, of which one of a verified domain is sought. */
const LOOKED_AT = 20;
/** Rows of usage of which one with a message is sought. */
const USAGE_LOOKED_AT = 500;

/** Each statement looks at a fixed number of rows of one index. */
@needs(Database)
export class SqlFirstFactsReader extends FirstFactsReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async read(scope: PartnerScope, partnerRef: PartnerRef | undefined, now: Date): Promise<FirstFacts> {
    const partner = await partnerOfList(this.database, scope, partnerRef);
    if (partner === null) return { hasSent: false, hasPartner: null, domain: null };
    const ids = scope === 'all' ? null : scope.domainIds;
    const hasSent = await (ids === null ? this.partnerHasSent(partner) : this.domainsHaveSent(ids));
    if (hasSent) return { hasSent, hasPartner: partner === 'all' ? true : null, domain: null };
    return {
      hasSent,
      hasPartner: partner === 'all' ? await this.finds("SELECT 1 FROM partner WHERE ref <> '' LIMIT 1") : null,
      domain: await this.best(partner, ids ?? (await this.candidates(partner)), now),
    };
  }

  /** The days of a partner are kept for 40 days, its usage for 15 ended months. */
  private async partnerHasSent(partner: number | 'all'): Promise<boolean> {
    const partners = partner === 'all' ? ALL_PARTNERS : [partner];
    const days = `SELECT 1 FROM outbound_partner_day WHERE partner_id IN (${placeholders(partners)}) AND sent > 0 LIMIT 1`;
    if (await this.finds(days, [...partners])) return true;
    const own = where(ofPartner(partner, 'u.partner_id'));
    for (const table of ['usage_month', 'usage_day']) {
      const index = partner === 'all' ? '' : this.database.dialect.byIndex(`ix_${table}_partner`);
      const rows = `SELECT u.sent FROM ${table} u${index}${own.sql} LIMIT ${USAGE_LOOKED_AT}`;
      if (await this.finds(`SELECT 1 FROM (${rows}) AS looked WHERE sent > 0 LIMIT 1`, own.parameters)) return true;
    }
    return false;
  }

  /** The counter of a domain has its last month with mail until the next one begins; the months before are history. */
  private async domainsHaveSent(domainIds: readonly number[]): Promise<boolean> {
    const ids = [NO_ID, ...domainIds];
    const among = `domain_id IN (${placeholders(ids)})`;
    return (
      (await this.finds(`SELECT 1 FROM outbound_counter WHERE ${among} AND sent_month > 0 LIMIT 1`, ids)) ||
      (await this.finds(`SELECT 1 FROM outbound_history WHERE ${among} AND sent > 0 LIMIT 1`, ids))
    );
  }

  private async finds(sql: string, parameters: Condition['parameters'] = []): Promise<boolean> {
    return (await this.database.read(sql, parameters)).length > 0;
  }

  /** The best of these domains. */
  private async best(partner: number | 'all', domainIds: readonly number[], now: Date): Promise<FirstDomain | null> {
    const verified = verificationCondition('verified', now);
    const ids = [NO_ID, ...domainIds];
    const own = where([condition(`d.id IN (${placeholders(ids)})`, ...ids), ...ofPartner(partner, 'd.partner_id')]);
    const [row] = await this.database.read(
      `SELECT d.name, CASE WHEN ${verified.sql} THEN 1 ELSE 0 END AS is_verified,
              (SELECT m.email FROM mailbox m WHERE m.domain_id = d.id ORDER BY m.id LIMIT 1) AS mailbox
         FROM domain d${this.database.dialect.byPrimaryKey}${own.sql}
        ORDER BY is_verified DESC, CASE WHEN d.mailbox_count > 0 THEN 1 ELSE 0 END DESC, d.id DESC LIMIT 1`,
      [...verified.parameters, ...own.parameters],
    );
    if (row === undefined) return null;
    const { name, mailbox } = row as { name: DomainName; mailbox: Address | null };
    return { name, verified: Number(row.is_verified) === 1, mailbox };
  }

  /** Some domains with a mailbox, the newest one whose verification is its own, and the newest one. */
  private async candidates(partner: number | 'all'): Promise<number[]> {
    const { dialect } = this.database;
    const own = (column: string, ...others: string[]) =>
      where([...others.map((sql) => condition(sql)), ...ofPartner(partner, column)]);
    const [verified, all] = [own('v.partner_id', "v.status = 'verified'"), own('d.partner_id')];
    const mailboxes = own('d.partner_id', 'd.mailbox_count > 0');
    const parts: Condition[] = [
      partner === 'all'
        ? condition(
            `SELECT m.domain_id AS id FROM mailbox m${dialect.byPrimaryKey} ORDER BY m.id DESC LIMIT ${LOOKED_AT}`,
          )
        : condition(
            `SELECT d.id FROM domain d${dialect.byIndex('ix_domain_partner_counts')}${mailboxes.sql} ORDER BY d.mailbox_count, d.alias_count, d.id LIMIT ${LOOKED_AT}`,
            ...mailboxes.parameters,
          ),
      condition(
        `SELECT v.domain_id AS id FROM verification v${dialect.byIndex('ix_verification_status')}${verified.sql} ORDER BY v.partner_id DESC, v.domain_id DESC LIMIT 1`,
        ...verified.parameters,
      ),
      condition(
        `SELECT d.id FROM domain d${dialect.byIndex(partner === 'all' ? 'PRIMARY' : 'ix_domain_partner')}${all.sql} ORDER BY d.id DESC LIMIT 1`,
        ...all.parameters,
      ),
    ];
    const rows = await this.database.read(
      parts.map(({ sql }, index) => dialect.limitedPart(sql, `part${index}`)).join(' UNION ALL '),
      parts.flatMap(({ parameters }) => parameters),
    );
    return [...new Set(rows.map(({ id }) => Number(id)))];
  }
}

function where(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return condition('');
  const sql = ` WHERE ${conditions.map((each) => each.sql).join(' AND ')}`;
  return condition(sql, ...conditions.flatMap(({ parameters }) => parameters));
}
