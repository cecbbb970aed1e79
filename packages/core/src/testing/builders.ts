import { ApiKey } from '../api-keys/api-key.js';
import { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { PartnerRef } from '../partners/partner.js';
import { Verification } from '../relay/verification.js';

/** A domain of partner 1, with the given fields. */
export function aDomain(fields: Partial<Domain>): Domain {
  const domain = Domain.create({
    name: 'example.com' as DomainName,
    partnerId: 1,
    partnerRef: null,
    createdAt: new Date('2026-03-01T00:00:00.000Z'),
    inbound: 'open',
    parentId: null,
    pendingSince: null,
  });
  return Object.assign(domain, fields);
}

/** An unverified verification of domain 1, with the given fields. */
export function aVerification(fields: Partial<Verification>): Verification {
  return Object.assign(
    Verification.create({ domainId: 1, ownershipToken: 'a'.repeat(40), ownershipRequired: false }),
    fields,
  );
}

/** An active key of partner 1 without limits, with the given fields. */
export function anApiKey(fields: Partial<ApiKey>): ApiKey {
  const key = ApiKey.create({
    partnerId: 1,
    partnerRef: 'acme' as PartnerRef,
    tokenHash: 'a'.repeat(64),
    tokenMask: 'abcd…wxyz',
    domainsAllowed: 0,
    mailboxesPerDomain: 0,
    aliasesPerMailbox: 0,
    active: true,
    expiresAt: null,
    createdAt: new Date('2026-03-01T00:00:00.000Z'),
    name: null,
    scope: 'manage',
    domainIds: null,
    makerId: null,
  });
  return Object.assign(key, fields);
}
