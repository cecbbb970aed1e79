import type { DomainWithParent } from '@mailstead/core/domains/domain-repository';
import { resolveDomain } from '@mailstead/core/domains/resolve-domain';
import { dnsRecords } from '@mailstead/core/relay/dns-records';
import { VERIFICATION_STATUSES } from '@mailstead/core/relay/verification';
import { Bool, Enum, ListOf, Text, Time } from '../http/fields.js';
import { timestampOrNull } from '../http/timestamp.js';

export class DnsRecordResponse {
  @Text() purpose!: string;
  @Text() type!: string;
  @Text() name!: string;
  @Text() value!: string;
}

export class RelayStatusResponse {
  @Text() name!: string;
  @Enum(VERIFICATION_STATUSES) verification_status!: string;
  @Bool() verified!: boolean;
  @Text() dkim_status!: string;
  @Text({ nullable: true }) inherited_from!: string | null;
  @Time({ nullable: true }) verified_at!: string | null;
  @Time({ nullable: true }) last_checked_at!: string | null;
  @Text({ nullable: true }) last_error!: string | null;
  @ListOf(DnsRecordResponse) dns_records!: DnsRecordResponse[];
}

export function presentRelayStatus(found: DomainWithParent, now: Date): RelayStatusResponse {
  const { domain, verification } = found;
  const resolved = resolveDomain(found, now);
  return {
    name: domain.name,
    verification_status: resolved.verificationStatus,
    verified: resolved.verified,
    dkim_status: verification.providerStatus,
    inherited_from: resolved.verifiedBy,
    verified_at: timestampOrNull(verification.verifiedAt ?? found.parent?.verification.verifiedAt ?? null),
    last_checked_at: timestampOrNull(verification.lastCheckedAt),
    last_error: verification.lastError,
    dns_records: dnsRecords(domain.name, verification),
  };
}
