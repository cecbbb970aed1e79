import type { DomainName } from '../domains/domain-name.js';
import type { Address } from '../mailboxes/address.js';

/** What a new caller does until its first message is counted, in order. */
export const FIRST_STEPS = ['partner', 'domain', 'dns', 'mailbox', 'message'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** The domain that the first steps go on with. */
export interface FirstDomain {
  name: DomainName;
  verified: boolean;
  /** One of its mailboxes; null when it has none. */
  mailbox: Address | null;
}

/** What exists in a scope. */
export interface FirstFacts {
  /** Whether an outbound message was ever counted. Nothing else is read when it was. */
  hasSent: boolean;
  /** Whether there is any partner, in the scope of all partners; null in another scope. */
  hasPartner: boolean | null;
  domain: FirstDomain | null;
}

/**
 * The steps of a scope, and which of them are done. A message that was counted has needed all others, so all are done,
 * whatever was deleted since. A partner is a step for operators alone, and none for those who began with a domain of
 * no partner.
 */
export function firstSteps({ hasSent, hasPartner, domain }: FirstFacts): { step: FirstStep; done: boolean }[] {
  const isAlone = hasPartner === false && domain !== null;
  const done: Record<FirstStep, boolean> = {
    partner: hasPartner === true,
    domain: domain !== null,
    dns: domain?.verified === true,
    mailbox: typeof domain?.mailbox === 'string',
    message: false,
  };
  return FIRST_STEPS.filter((step) => step !== 'partner' || (hasPartner !== null && !isAlone)).map((step) => ({
    step,
    done: hasSent || done[step],
  }));
}
