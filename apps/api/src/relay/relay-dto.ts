import type { DomainWithParent } from '@mailstead/core/domains/domain-repository';
import { resolveDomain } from '@mailstead/core/domains/resolve-domain';
import { dnsRecords } from '@mailstead/core/relay/dns-records';
import { VERIFICATION_STATUSES } from '@mailstead/core/relay/verification';
import { Bool, Enum, ListOf, Text, Time } from '../http/fields.js';
import { timestampOrNull } from '../http/timestamp.js';

export class DnsRecordResponse {
  @Text({ description: 'What the record is for: verification or dkim', example: 'verification' }) purpose!: string;
  @Text({ description: 'The type of the DNS record', example: 'TXT' }) type!: string;
  @Text({ description: 'The name of the DNS record', example: '_mailstead-challenge.example.com' }) name!: string;
  @Text({ description: 'The value to publish', example: 'mailstead-verification=3f6c2d' }) value!: string;
}

export class RelayStatusResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Enum(VERIFICATION_STATUSES, { description: 'The state of the verification', example: 'verified' })
  verification_status!: string;
  @Bool({ description: 'Whether the relay accepts mail of the domain' }) verified!: boolean;
  @Text({ description: 'The state of DKIM, in the words of the provider', example: 'SUCCESS' }) dkim_status!: string;
  @Text({
    nullable: true,
    description: 'The linked parent whose verification applies; null without one',
    example: null,
  })
  inherited_from!: string | null;
  @Time({ nullable: true, description: 'When the domain was verified; null before' }) verified_at!: string | null;
  @Time({ nullable: true, description: 'When the provider was last queried; null before the first time' })
  last_checked_at!: string | null;
  @Text({ nullable: true, description: 'Why the last check failed; null when it did not', example: null }) last_error!:
    | string
    | null;
  @ListOf(DnsRecordResponse, {
    description:
      'The DNS records that verify the domain. `dns-check` has all records to publish, those of MX and SPF too',
  })
  dns_records!: DnsRecordResponse[];
}

export function presentRelayStatus(found: DomainWithParent, now: Date): RelayStatusResponse {
  const { domain, verification, parent } = found;
  const resolved = resolveDomain(found, now);
  return {
    name: domain.name,
    verification_status: resolved.verificationStatus,
    verified: resolved.verified,
    dkim_status: verification.providerStatus,
    inherited_from: resolved.verifiedBy?.name ?? null,
    verified_at: timestampOrNull(
      verification.verifiedAt ?? (parent?.isVisible === true ? parent.verification.verifiedAt : null),
    ),
    last_checked_at: timestampOrNull(verification.lastCheckedAt),
    last_error: verification.lastError,
    dns_records: dnsRecords(domain.name, verification),
  };
}
