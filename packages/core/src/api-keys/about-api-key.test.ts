import type { PartnerRef } from '../partners/partner.js';
import { shownKey } from './about-api-key.js';
import { ApiKey } from './api-key.js';

const FIELDS = { domainsAllowed: 3, mailboxesPerDomain: 1, aliasesPerMailbox: 5, active: true, expiresAt: null };

function key(makerId: number | null): ApiKey {
  return ApiKey.create({
    ...FIELDS,
    name: 'shop',
    scope: 'manage',
    partnerId: 1,
    partnerRef: 'acme' as PartnerRef,
    tokenHash: 'a'.repeat(64),
    tokenMask: 'abcd…wxyz',
    createdAt: new Date(),
    domainIds: [7],
    makerId,
  });
}

describe('what an audit row shows of a key', () => {
  it('is its limits and what its maker chose, in a fixed order', () => {
    expect(JSON.stringify(shownKey(key(null), null))).toBe(
      '{"domains_allowed":3,"mailboxes_per_domain":1,"aliases_per_mailbox":5,"active":true,"expires_at":null,"name":"shop","scope":"manage","domains":null}',
    );
  });

  it('is, of a key that a key created, its maker in place of the limits', () => {
    expect(JSON.stringify(shownKey(key(4), null))).toBe(
      '{"made_by":4,"active":true,"expires_at":null,"name":"shop","scope":"manage","domains":null}',
    );
  });
});
