import type { Partner, PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import type { PartnerFilter, StatedPartner } from '@mailstead/core/partners/partner-finder';
import { PARTNER_STATES } from '@mailstead/core/partners/partner-state';
import { OPERATOR_CAUSES, type OperatorCause, PARTNER_STAGES } from '@mailstead/core/partners/partner-suspension';
import { MAX_SOUGHT_WORDS, MAX_WORD, MAX_WORDS, readSoughtWords } from '@mailstead/core/partners/partner-words';
import { Enum, FreeText, Integer, ListOf, QueryInteger, Text, Total } from '../http/fields.js';
import { OperatorMessage } from '../http/operator-message.js';
import type { CountedQuery } from '../http/paging.js';
import { REVISION } from '../http/revision.js';
import { anyPartnerRef, listOf, parsedBy, trimmed } from '../http/text-rules.js';

const MAX_PAGE_ROWS = 1_000;
const words = parsedBy(readSoughtWords, `must have 1 to ${MAX_SOUGHT_WORDS} words`);

export class PartnersQuery implements CountedQuery {
  @Total() total?: 'true';

  @QueryInteger({
    min: 1,
    max: MAX_PAGE_ROWS,
    optional: true,
    description: 'Rows per page; without it the list is complete',
  })
  limit?: number;

  @Text({
    max: 128,
    rule: anyPartnerRef,
    optional: true,
    description: 'Only partners whose reference sorts after this one',
  })
  after?: string;

  @Text({
    max: 256,
    rule: words,
    optional: true,
    description: `Words, of which each is the beginning of a word of the reference or the name, whatever their case and accents: \`harb\` finds \`old-harbour\` and \`Hårbor GmbH\`. Words are split at what is neither letter nor digit; at most ${MAX_SOUGHT_WORDS}, each of which is compared up to ${MAX_WORD} characters with the first ${MAX_WORDS} words of the reference and of the name`,
    example: 'harb',
  })
  q?: string;

  @Text({
    max: 100,
    rule: listOf(PARTNER_STATES),
    optional: true,
    description: `Only partners of which \`state\` is one of these words, separated by commas: ${PARTNER_STATES.join(', ')}`,
    example: 'suspended,at_limit',
  })
  state?: string;

  filter(): PartnerFilter {
    const states = this.state?.split(',');
    return {
      words: this.q === undefined ? undefined : (readSoughtWords(this.q) ?? undefined),
      states: states && PARTNER_STATES.filter((state) => states.includes(state)),
    };
  }
}

export class UpdatePartnerBody {
  @FreeText({
    min: 1,
    rule: trimmed,
    optional: true,
    nullable: true,
    description: 'A reference of another system, not unique; null removes it',
    example: 'customer-7',
  })
  external_ref?: string | null;

  @FreeText({ min: 1, optional: true, nullable: true, description: 'The name; null removes it', example: 'Acme' })
  name?: string | null;
}

export class SuspendPartnerBody {
  @Enum(OPERATOR_CAUSES, {
    optional: true,
    description: 'The cause: `operator` when left out; the billing scope has only `billing`',
  })
  cause?: OperatorCause;

  @Enum(PARTNER_STAGES, {
    optional: true,
    description:
      '`changes`: no change through the API and no outbound mail; `all` (when left out): as if each domain were suspended',
    example: 'changes',
  })
  stage?: PartnerStage;

  @OperatorMessage('about this cause, in the verdicts of its domains; when left out, it stays as it is')
  message?: string | null;
}

export class ActivatePartnerBody {
  @Enum(OPERATOR_CAUSES, {
    optional: true,
    description: 'The cause to lift: all when left out; the billing scope has only `billing`',
  })
  cause?: OperatorCause;
}

export class PartnerSuspensionResponse {
  @Enum(OPERATOR_CAUSES, { description: 'The cause' }) cause!: string;
  @Enum(PARTNER_STAGES, { description: 'What this cause stops' }) stage!: string;
  @Text({
    nullable: true,
    description: 'What the operator tells the partner about it; null without a message',
    example: 'Please call us about your last invoice.',
  })
  message!: string | null;
}

export class PartnerStateResponse {
  @Text({ description: 'The reference of the partner', example: 'acme' }) partner_ref!: string;
  @Enum(['active', 'suspended'], { description: '`suspended` while there is a cause' }) status!: string;
  @Enum(PARTNER_STAGES, { nullable: true, description: 'The widest stage, which holds; null while active' })
  stage!: string | null;
  @ListOf(PartnerSuspensionResponse, { description: 'Why the partner is suspended' })
  suspension_causes!: PartnerSuspensionResponse[];
  @Integer(REVISION) revision!: number;
}

export class PartnerResponse extends PartnerStateResponse {
  @Text({ nullable: true, description: 'A reference of another system; null without one', example: 'customer-7' })
  external_ref!: string | null;
  @Text({ nullable: true, description: 'The name; null without one', example: 'Acme' }) name!: string | null;
  @Enum(PARTNER_STATES, {
    description:
      'The first that holds. `suspended`, `changes_stopped`: an operator suspended it, with stage `all` or `changes`. `relay_paused`: the relay provider paused its mail. `at_limit`: no key can create another domain; `near_limit`: 80 % of `domains_allowed` of its widest key are used. Only keys that operators created and that are in use count, without those that are limited to domains or have the scope `read`. `active`: none of these',
  })
  state!: string;
  @Integer({ description: 'Number of domains', example: 1 }) domains_used!: number;
  @Integer({ description: 'Number of mailboxes', example: 1 }) mailboxes!: number;
  @Integer({ description: 'Number of aliases', example: 1 }) aliases!: number;
  @Integer({ description: 'Number of API keys, also inactive and expired ones', example: 1 }) keys!: number;
}

export function presentPartner(summary: StatedPartner): PartnerResponse {
  const { ref, externalRef, name, state, domainsUsed, mailboxes, aliases, keys } = summary;
  const { partner_ref, status, stage, suspension_causes, revision } = presentPartnerState(ref, summary);
  return {
    partner_ref,
    status,
    stage,
    suspension_causes,
    revision,
    external_ref: externalRef,
    name,
    state,
    domains_used: domainsUsed,
    mailboxes,
    aliases,
    keys,
  };
}

export function presentPartnerState(
  ref: PartnerRef,
  { stage, suspensions, stopMessages, revision }: Pick<Partner, 'stage' | 'suspensions' | 'stopMessages' | 'revision'>,
): PartnerStateResponse {
  return {
    partner_ref: ref,
    status: stage === null ? 'active' : 'suspended',
    stage,
    suspension_causes: suspensions.map(({ cause, stage: of }) => ({
      cause,
      stage: of,
      message: stopMessages[cause] ?? null,
    })),
    revision,
  };
}
