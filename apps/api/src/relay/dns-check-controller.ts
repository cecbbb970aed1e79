import type { Clock } from '@mailstead/core/clock';
import type { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { AppError } from '@mailstead/core/errors';
import { scopeOf } from '@mailstead/core/operators/actor';
import { type CheckDns, isDnsOk } from '@mailstead/core/relay/check-dns';
import { Bool, Enum, ListOf, ListOfText, Text, Time } from '../http/fields.js';
import { domainNameParam } from '../http/parse.js';
import { type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';

class DnsCheckRow {
  @Text({ description: 'mx, spf, verification, dkim, or advice' }) record!: string;
  @Text() type!: string;
  @Text() name!: string;
  @ListOfText() expected!: string[];
  @ListOfText() found!: string[];
  @Enum(['ok', 'missing', 'mismatch', 'error']) status!: string;
  @Bool() required!: boolean;
  @Text() detail!: string;
}

class DnsCheckResponse {
  @Text() name!: string;
  @Bool() ok!: boolean;
  @Time() checked_at!: string;
  @ListOf(DnsCheckRow) checks!: DnsCheckRow[];
}

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
        const { ownershipToken, ownershipRequired, records, lastError } = record.verification;
        const checks = await use.checkDns.execute({
          name,
          ownershipToken,
          ownershipRequired,
          records,
          relayFailure: lastError,
        });
        return { name, ok: isDnsOk(checks), checked_at: timestamp(use.clock.now()), checks };
      },
    }),
  ];
}
