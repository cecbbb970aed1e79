import { DAY_MS, MINUTE_MS } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { PartnerRef } from '../partners/partner.js';

/** `dns`: the page with the DNS records, for a customer. `manage`: one login to manage the domain. */
export const LINK_KINDS = ['dns', 'manage'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** For how long a link of each kind can be given out: the unit of its lifetime, its bounds and its default. */
export const LINK_LIFETIMES = {
  dns: { unitMs: DAY_MS, max: 30, usual: 7 },
  manage: { unitMs: MINUTE_MS, max: 60, usual: 15 },
} as const;

/** Who made a link; the link ends with it. Exactly one is not null. */
export interface LinkMaker {
  keyId: number | null;
  /** SHA-256 of an operator's token. */
  operatorHash: string | null;
}

/** A link that lets somebody without a key into the portal, for one domain. Its code is found by its SHA-256. */
export class PortalLink implements LinkMaker {
  readonly id!: number;
  /** SHA-256 of the code, 64 hex digits. */
  readonly codeHash!: string;
  readonly kind!: LinkKind;
  readonly domainId!: number;
  readonly domainName!: DomainName;
  /** The partner of the domain when the link was made. */
  readonly partnerId!: number;
  readonly partnerRef!: PartnerRef | null;
  readonly keyId!: number | null;
  readonly operatorHash!: string | null;
  readonly createdAt!: Date;
  readonly expiresAt!: Date;
  /** When a session was opened with it for the first time. */
  usedAt!: Date | null;

  private constructor() {}

  static create(values: Omit<PortalLink, 'id' | 'usedAt' | 'canBeUsed'>): PortalLink {
    return Object.assign(new PortalLink(), { id: 0, usedAt: null }, values);
  }

  /** Whether its code opens a session. */
  canBeUsed(now: Date): boolean {
    return now < this.expiresAt && (this.kind === 'dns' || this.usedAt === null);
  }
}
