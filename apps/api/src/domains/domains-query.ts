import { ATTENTION_REASONS, type AttentionReason } from '@mailstead/core/attention/attention';
import type { DomainBeginnings, DomainFilter } from '@mailstead/core/domains/domain-finder';
import { FLOWS, type Flow } from '@mailstead/core/domains/flow';
import type { Actor } from '@mailstead/core/operators/actor';
import { OUTBOUND_STATUSES, type OutboundStatus } from '@mailstead/core/outbound/outbound-settings';
import { PLAN_NAMES, type PlanName } from '@mailstead/core/plans/plan';
import { VERIFICATION_STATUSES, type VerificationStatus } from '@mailstead/core/relay/verification';
import { Enum, Text, Total } from '../http/fields.js';
import { type CountedQuery, PartnerFilterQuery } from '../http/paging.js';
import { beginningsOf, domainNameField } from '../http/parse.js';
import { domainName, listOf, notBlank, trimmed } from '../http/text-rules.js';

/** The filters of the list of domains. A domain is listed when it meets all of them. */
export class DomainsQuery extends PartnerFilterQuery implements CountedQuery {
  @Total() total?: 'true';

  @Enum(['full'], { optional: true, description: '`full`: each row as `GET /domains/{domain_name}` returns it' })
  view?: 'full';

  @Text({
    max: 1_000,
    rule: notBlank,
    optional: true,
    description:
      'The beginning of the name or of what follows one of its dots or hyphens, as people read it or with `xn--`: `bakery` finds `juniper-bakery.example`. Or the beginning of `external_ref`, exactly; for master and read without `partner_ref` also of the reference of the partner',
    example: 'exam',
  })
  q?: string;

  @Enum(['active', 'suspended'], { optional: true, description: 'Only domains with this status' })
  status?: 'active' | 'suspended';

  @Enum(VERIFICATION_STATUSES, { optional: true, description: 'Only domains with this verification status' })
  verification_status?: VerificationStatus;

  @Enum(OUTBOUND_STATUSES, { optional: true, description: 'Only domains with this outbound status' })
  outbound_status?: OutboundStatus;

  @Enum(['open', 'pending'], { optional: true, description: 'Only domains that are open or pending for inbound mail' })
  inbound?: 'open' | 'pending';

  @Enum(PLAN_NAMES, { optional: true, description: 'Only domains with this plan' })
  plan?: PlanName;

  @Text({ max: 1_000, rule: domainName, optional: true, description: 'Only domains that are linked to this parent' })
  parent?: string;

  @Text({ min: 1, max: 128, rule: trimmed, optional: true, description: 'Only domains with exactly this reference' })
  external_ref?: string;

  @Enum(['true'], { optional: true, description: '`true`: only domains with a reason for attention' })
  attention?: 'true';

  @Enum(ATTENTION_REASONS, { optional: true, description: 'Only domains with this reason for attention' })
  attention_reason?: AttentionReason;

  @Text({
    max: 100,
    rule: listOf(FLOWS),
    optional: true,
    description: `Only domains of which the worse of \`state.sends\` and \`state.receives\` is one of these words, separated by commas: ${FLOWS.join(', ')}`,
    example: 'waits,no',
  })
  state?: string;

  flows(): Flow[] | undefined {
    const words = this.state?.split(',');
    return words && FLOWS.filter((flow) => words.includes(flow));
  }

  override filter(actor: Actor): DomainFilter {
    return {
      ...super.filter(actor),
      begins: this.begins(actor),
      status: this.status,
      verificationStatus: this.verification_status,
      outboundStatus: this.outbound_status,
      inbound: this.inbound,
      plan: this.plan,
      parent: this.parent === undefined ? undefined : domainNameField('parent', this.parent),
      attention: this.attention === undefined ? undefined : true,
      attentionReason: this.attention_reason,
      externalRef: this.external_ref,
    };
  }

  /** Of one partner, its own reference would find all rows. */
  private begins(actor: Actor): DomainBeginnings | undefined {
    const found = beginningsOf(this.q);
    if (found === undefined) return undefined;
    const { name, text, partnerRef } = found;
    const findsPartners = actor.kind === 'master' || (actor.kind === 'operator' && actor.scope === 'read');
    return {
      name,
      externalRef: text,
      partnerRef: findsPartners && this.partner_ref === undefined ? partnerRef : null,
    };
  }
}
