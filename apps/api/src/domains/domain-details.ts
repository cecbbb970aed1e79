import { AttentionList } from '@mailstead/core/attention/attention-list';
import { Clock } from '@mailstead/core/clock';
import { DomainStates } from '@mailstead/core/domain-states/domain-states';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { DomainLookup } from './domain-lookup.js';
import { type DomainDetailsResponse, presentDomainDetails } from './domains-dto.js';

/** Reads the record of a domain. */
@needs(DomainLookup, AttentionList, DomainStates, Clock)
export class DomainDetails {
  constructor(
    private readonly lookup: DomainLookup,
    private readonly attention: AttentionList,
    private readonly states: DomainStates,
    private readonly clock: Clock,
  ) {}

  /** @param name as in a path. @throws AppError domain_not_found */
  async read(actor: Actor, name: string): Promise<DomainDetailsResponse> {
    const now = this.clock.now();
    const { found, facts } = await this.lookup.findRecord(actor, name, now);
    const { id } = found.domain;
    const storedReasons = found.hasReasons ? ((await this.attention.ofDomains([id], now)).get(id) ?? []) : [];
    const domain = await this.states.of({ ...found, id, storedReasons }, facts, now);
    return presentDomainDetails(domain, now, actor.kind === 'client');
  }
}
