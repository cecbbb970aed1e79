import { AttentionList } from '@mailstead/core/attention/attention-list';
import { Clock } from '@mailstead/core/clock';
import { DomainRecords } from '@mailstead/core/domain-states/domain-records';
import { DomainStates } from '@mailstead/core/domain-states/domain-states';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { domainNameParam } from '../http/parse.js';
import { type DomainDetailsResponse, presentDomainDetails } from './domains-dto.js';

/** Reads the record of a domain. */
@needs(DomainRecords, AttentionList, DomainStates, Clock)
export class DomainDetails {
  constructor(
    private readonly records: DomainRecords,
    private readonly attention: AttentionList,
    private readonly states: DomainStates,
    private readonly clock: Clock,
  ) {}

  /** @param name as in a path. @throws AppError domain_not_found */
  async read(actor: Actor, name: string): Promise<DomainDetailsResponse> {
    const now = this.clock.now();
    const record = await this.records.find(scopeOf(actor), domainNameParam(name), now);
    if (record === null) throw new AppError('domain_not_found');
    const { found, facts } = record;
    const { id } = found.domain;
    const storedReasons = found.hasReasons ? ((await this.attention.ofDomains([id], now)).get(id) ?? []) : [];
    const domain = { ...found, id, storedReasons };
    const stated = await this.states.of(domain, facts, now);
    return presentDomainDetails({ ...domain, ...stated }, now, actor.kind === 'client');
  }
}
