import { FIRST_STEPS, type FirstFacts, type FirstStep, firstSteps } from '@mailstead/core/first-steps/first-steps';
import { Bool, Enum, ListOf, Text } from '../http/fields.js';
import { anyPartnerRef } from '../http/text-rules.js';

export class FirstStepsQuery {
  @Text({
    max: 128,
    rule: anyPartnerRef,
    optional: true,
    description: 'Only what this partner has (master, billing and read)',
  })
  partner_ref?: string;
}

export class FirstStepResponse {
  @Enum(FIRST_STEPS, {
    description:
      '`partner`: there is a partner, for operators who name none. `domain`: there is a domain. `dns`: one is verified. `mailbox`: it has a mailbox. `message`: a message that was sent was counted',
  })
  step!: FirstStep;
  @Bool({
    description:
      'Whether it is done. All are while a message of the caller is remembered: in its last 40 days, or in the usage of 15 ended months; of a key that is limited to some domains, in the counts of these domains',
    example: true,
  })
  done!: boolean;
}

export class FirstStepsResponse {
  @ListOf(FirstStepResponse, { max: FIRST_STEPS.length, description: 'The steps of the caller, in order' })
  steps!: FirstStepResponse[];
  @Text({
    nullable: true,
    description: 'The domain to go on with: a verified one where there is any. Null without one, and when all is done',
    example: 'example.com',
  })
  domain!: string | null;
  @Text({
    nullable: true,
    description: 'A mailbox of the domain, to send the first message with. Null without one, and when all is done',
    example: 'anna@example.com',
  })
  mailbox!: string | null;
}

export function presentFirstSteps(facts: FirstFacts): FirstStepsResponse {
  return { steps: firstSteps(facts), domain: facts.domain?.name ?? null, mailbox: facts.domain?.mailbox ?? null };
}
