import type { DomainName } from '../domains/domain-name.js';

export type IdentityStatus = 'pending' | 'verified' | 'failed';

/** What the provider says of one domain identity. */
export interface RelayIdentity {
  status: IdentityStatus;
  /** The provider's own word for the DKIM state, lower case (SES `DkimAttributes.Status`). */
  dkimStatus: string;
  /** SES `DkimAttributes.Tokens`; three for Easy DKIM, empty until the provider has made them. */
  dkimTokens: string[];
  /** Where the DKIM CNAMEs point: `<token>.<dkimZone>` (SES `DkimAttributes.SigningHostedZone`). */
  dkimZone: string;
  /** Why it is not verified, in a sentence for people (SES `VerificationInfo.ErrorType`), or null. */
  reason: string | null;
}

/** The outcome of asking for an identity that may already be at the provider. */
export type EnsureOutcome = { outcome: 'ours'; identity: RelayIdentity } | { outcome: 'foreign' };

/**
 * The outbound relay's control plane. Implementations keep the provider's rate limit across all processes.
 *
 * Every method throws AppError `relay_unavailable` for anything but the provider's clear word: time-outs, throttling,
 * 5xx, unreadable answers. Nothing may be concluded from that.
 */
export abstract class RelayProvider {
  /** The installation-wide name of the provider, as in `RELAY_PROVIDER`. */
  abstract readonly name: 'ses' | 'sandbox';
  /** Whether `listIdentities` tells of all identities; false for a provider that keeps none. */
  abstract readonly lists: boolean;
  /** How long a reader's question about one domain keeps others from asking again, milliseconds. */
  abstract readonly minAskIntervalMs: number;

  /**
   * Creates the identity, or adopts it when its tag is this very domain's id. One with this installation's tag and another
   * id is deleted and made anew; one that is not ours is left alone: `foreign`.
   * `startedAt` is when this verification began (the sandbox derives its due time from it). `restart` asks for a fresh
   * verification even where an own identity exists in a failed state.
   */
  abstract ensureIdentity(domain: RelayDomain, restart: boolean): Promise<EnsureOutcome>;

  /** Null when the provider has no such identity. */
  abstract getIdentity(domain: RelayDomain): Promise<RelayIdentity | null>;

  /**
   * One page of identities with their sending status, up to 1,000, in the provider's own order. `pageToken` null starts;
   * `nextToken` null ends. `listed` entries carry the name and status only (SES ListEmailIdentities).
   */
  abstract listIdentities(pageToken: string | null): Promise<{ listed: ListedIdentity[]; nextToken: string | null }>;

  /** Deletes the identity when its tag is this very domain's id; a missing one is success, a foreign one is left alone. */
  abstract deleteIdentity(domain: RelayDomain): Promise<void>;
}

export interface RelayDomain {
  id: number;
  name: DomainName;
  startedAt: Date | null;
}

export interface ListedIdentity {
  name: string;
  status: IdentityStatus;
}
