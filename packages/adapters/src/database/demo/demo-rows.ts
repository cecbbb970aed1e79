import { DAY_MS, MINUTE_MS, SECOND_MS, utcDay } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { searchedTextsOf } from '@mailstead/core/domains/searched-texts';
import { needs } from '@mailstead/core/needs';
import type { OutboundTier } from '@mailstead/core/outbound/outbound-settings';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { wordsOfPartner } from '@mailstead/core/partners/partner-words';
import { RandomSource } from '@mailstead/core/random-source';
import { DKIM_FOUND, RelayProvider } from '@mailstead/core/relay/relay-provider';
import { Database, type Parameter } from '../driver/database.js';
import { insertRows } from './insert-rows.js';
import { addSentMail } from './sent-mail-rows.js';
import { addUsage } from './usage-rows.js';

/*
 * Plain SQL with many rows a statement: through the use cases, 3,000 domains would take minutes. Columns that are not
 * named have their defaults. There are no audit rows: those of domains that are so old are not kept any more.
 */

export interface ManyPartner {
  ref: string;
  name: string;
  domains: readonly ManyDomain[];
}

/** A verified domain with no setting but its tier. */
export interface ManyDomain {
  name: DomainName;
  tier: OutboundTier;
  /** Local parts. The first one sends all mail, and gets that of `aliases`. */
  mailboxes: readonly string[];
  aliases: readonly string[];
  /** Messages of each day up to today, the oldest first. */
  sent: readonly number[];
}

export interface ManyRowsOptions {
  now: Date;
  /** All rows were created before. */
  createdBefore: Date;
  /** Of every mailbox. */
  passwordHash: string;
  bytesPerMessage: number;
}

/** A domain with the ids and times that its rows get. */
export interface PlacedDomain extends ManyDomain {
  id: number;
  partnerId: number;
  createdAt: number;
  /** Of the first mailbox; the others have the next ones. */
  mailboxId: number;
}

/** Between the rows of a partner, whose times of creation rise. */
const STEP_MS = MINUTE_MS;
const VERIFIED_AFTER_MS = 5 * SECOND_MS;

/** Adds to the database of a demo what many partners would have left in it in years. */
@needs(Database, RandomSource, RelayProvider)
export class DemoRows {
  constructor(
    private readonly database: Database,
    private readonly random: RandomSource,
    private readonly relay: RelayProvider,
  ) {}

  /** In the unit of work of the caller, while nobody else creates rows. @returns the number of rows */
  async add(partners: readonly ManyPartner[], options: ManyRowsOptions): Promise<number> {
    const last = { partner: await this.lastId('partner'), domain: await this.lastId('domain') };
    const { rows, placed } = place(partners, { ...last, mailbox: await this.lastId('mailbox') }, options.createdBefore);
    const words = partners.flatMap(({ ref, name }, index) =>
      wordsOfPartner(ref as PartnerRef, name).map((word): Parameter[] => [last.partner + 1 + index, word]),
    );
    const counts = [
      await insertRows(this.database, 'partner', ['id', 'ref', 'name', 'domain_count', 'last_created_at'], rows),
      await insertRows(this.database, 'partner_word', ['partner_id', 'word'], words),
      await this.addDomains(placed, options.now),
      await this.addVerifications(placed, options.now),
      await this.addContents(placed, options.passwordHash),
      await addSentMail(this.database, placed, options),
      await addUsage(this.database, placed, options),
    ];
    return counts.reduce((sum, count) => sum + count, 0);
  }

  private async addDomains(placed: readonly PlacedDomain[], now: Date): Promise<number> {
    const domains = placed.map(({ id, name, partnerId, createdAt, tier, mailboxes, aliases }): Parameter[] => {
      return [id, name, partnerId, createdAt, tier, mailboxes.length, aliases.length, utcDay(now), mailboxes.length];
    });
    const suffixes = placed.flatMap(({ id, name, partnerId }) =>
      searchedTextsOf(name).map((suffix): Parameter[] => [partnerId, suffix, id]),
    );
    return (
      (await insertRows(this.database, 'domain', DOMAIN, domains, SETTINGS)) +
      (await insertRows(this.database, 'domain_suffix', ['partner_id', 'suffix', 'domain_id'], suffixes))
    );
  }

  private async addVerifications(placed: readonly PlacedDomain[], now: Date): Promise<number> {
    const verifications = await Promise.all(placed.map((domain) => this.verificationOf(domain, now)));
    const looks = placed.map(({ id, partnerId }): Parameter[] => [id, partnerId, nextLook(id, now)]);
    return (
      (await insertRows(this.database, 'verification', VERIFICATION, verifications, VERIFIED)) +
      (await insertRows(this.database, 'dns_look', ['domain_id', 'partner_id', 'due_at'], looks, {
        lacks: '',
        suspected: '',
      }))
    );
  }

  private async verificationOf({ id, partnerId, name, createdAt }: PlacedDomain, now: Date): Promise<Parameter[]> {
    const identity = await this.relay.readIdentity({ id, name, startedAt: new Date(createdAt) });
    const verifiedAt = createdAt + VERIFIED_AFTER_MS;
    const records = JSON.stringify(identity?.records ?? []);
    return [id, partnerId, createdAt, verifiedAt, now.getTime(), this.random.hex(20), records];
  }

  private async addContents(placed: readonly PlacedDomain[], passwordHash: string): Promise<number> {
    const mailboxes = placed.flatMap(({ id, partnerId, name, createdAt, mailboxId, ...domain }) =>
      domain.mailboxes.map((local, index): Parameter[] => {
        const at = createdAt + (index + 1) * STEP_MS;
        return [mailboxId + index, id, partnerId, `${local}@${name}`, local, this.random.hex(16), at, at];
      }),
    );
    const aliases = placed.flatMap(({ id, partnerId, name, createdAt, mailboxId, ...domain }) =>
      domain.aliases.map((local, index): Parameter[] => {
        const at = createdAt + (domain.mailboxes.length + index + 1) * STEP_MS;
        return [id, partnerId, `${local}@${name}`, `${domain.mailboxes[0]}@${name}`, mailboxId, at];
      }),
    );
    return (
      (await insertRows(this.database, 'mailbox', MAILBOX, mailboxes, {
        ...MAILBOX_SETTINGS,
        password_hash: passwordHash,
      })) + (await insertRows(this.database, 'alias', ALIAS, aliases))
    );
  }

  private async lastId(table: 'partner' | 'domain' | 'mailbox'): Promise<number> {
    const [row] = await this.database.read(`SELECT COALESCE(MAX(id), 0) AS id FROM ${table}`);
    return Number(row?.id);
  }
}

const DOMAIN = [
  'id',
  'name',
  'partner_id',
  'created_at',
  'outbound_tier',
  'mailbox_count',
  'alias_count',
  'usage_day',
  'usage_mailboxes',
];
/** Of a domain that was verified, without a setting. */
const SETTINGS = {
  retention_days: 0,
  retention_days_before: 0,
  transfer_monthly_mb: 0,
  suspension_causes: '',
  outbound_status: 'active',
  wildcard_mode: 'none',
  inbound: 'open',
};
const VERIFICATION = [
  'domain_id',
  'partner_id',
  'started_at',
  'verified_at',
  'last_checked_at',
  'ownership_token',
  'dns_records',
];
const VERIFIED = { status: 'verified', dkim_status: DKIM_FOUND, check_attempt: 1, ownership_required: 0 };
const MAILBOX = ['id', 'domain_id', 'partner_id', 'email', 'local_part', 'home', 'created_at', 'revoked_at'];
const MAILBOX_SETTINGS = { quota_mb: 1_024, outbound_daily_limit: 0, active: 1 };
const ALIAS = ['domain_id', 'partner_id', 'address', 'destination', 'destination_mailbox_id', 'created_at'];

/** Gives ids and times to all domains. @returns them, and the rows of the partners */
function place(
  partners: readonly ManyPartner[],
  last: Record<'partner' | 'domain' | 'mailbox', number>,
  createdBefore: Date,
): { rows: Parameter[][]; placed: PlacedDomain[] } {
  const next = { partner: last.partner + 1, domain: last.domain + 1, mailbox: last.mailbox + 1 };
  const placed: PlacedDomain[] = [];
  const rows = partners.map(({ ref, name, domains }, index): Parameter[] => {
    const partnerId = next.partner;
    next.partner += 1;
    let at = createdBefore.getTime() - (index + 1) * DAY_MS;
    for (const domain of domains) {
      placed.push({ ...domain, id: next.domain, partnerId, createdAt: at, mailboxId: next.mailbox });
      next.domain += 1;
      next.mailbox += domain.mailboxes.length;
      at += (1 + domain.mailboxes.length + domain.aliases.length) * STEP_MS;
    }
    return [partnerId, ref, name, domains.length, at - STEP_MS];
  });
  return { rows, placed };
}

/** Spread over a day. */
function nextLook(domainId: number, now: Date): number {
  return now.getTime() + ((domainId * 7_919 * SECOND_MS) % DAY_MS);
}
