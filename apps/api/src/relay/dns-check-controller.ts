import type { Clock } from '@mailstead/core/clock';
import type { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { AppError } from '@mailstead/core/errors';
import { scopeOf } from '@mailstead/core/operators/actor';
import { type CheckDns, isDnsOk } from '@mailstead/core/relay/check-dns';
import { domainNameParam } from '../http/parse.js';
import { type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import { DnsCheckResponse } from './dns-check-dto.js';

export function dnsCheckController(use: { domains: DomainRepository; checkDns: CheckDns; clock: Clock }): Route[] {
  return [
    route({
      method: 'get',
      path: '/domains/:domain_name/dns-check',
      access: 'client',
      summary: 'Look the DNS records of a domain up and say what is wrong',
      response: DnsCheckResponse,
      run: async ({ actor, params }): Promise<DnsCheckResponse> => {
        const record = await use.domains.findWithParent(scopeOf(actor), domainNameParam(params.domain_name));
        if (record === null) throw new AppError('domain_not_found');
        const { name } = record.domain;
        const { ownershipToken, ownershipRequired, dkimTokens, dkimZone, lastError } = record.verification;
        const checks = await use.checkDns.execute({
          name,
          ownershipToken,
          ownershipRequired,
          dkimTokens,
          dkimZone,
          relayFailure: lastError,
        });
        return { name, ok: isDnsOk(checks), checked_at: timestamp(use.clock.now()), checks };
      },
    }),
  ];
}
