import { AuditLog } from '@mailstead/core/audit/audit-log';
import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { comparedAddress, parseCatchAll } from '@mailstead/core/mailboxes/address';
import { needs } from '@mailstead/core/needs';
import { searched } from '../http/paging.js';
import { domainNameField, partnerRefQuery } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { AuditQuery, AuditResponse, presentAuditRow } from './audit-dto.js';

@needs(AuditLog)
export class AuditController implements Controller {
  constructor(private readonly audit: AuditLog) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/audit',
        access: 'master',
        summary: 'List the audit log: who changed what, with the values before and after',
        query: AuditQuery,
        response: [AuditResponse],
        run: ({ query }) => {
          const domain = query.domain === undefined ? undefined : domainNameField('domain', query.domain);
          const partnerRef =
            query.partner_ref === undefined ? undefined : partnerRefQuery('partner_ref', query.partner_ref);
          const subjects = query.subject === undefined ? undefined : subjectsOf(query.subject);
          const { actor, action, since, until } = query;
          const filter = { partnerRef, domain, actor, action, subjects, since, until };
          return searched(query, this.audit.search(filter), presentAuditRow);
        },
      }),
    ];
  }
}

/**
 * The text, and the address or the domain that it may be a spelling of. A partner's reference may look like either, and
 * its capital letters differ.
 */
function subjectsOf(text: string): string[] {
  const address = text.includes('@') ? comparedAddress(text) : null;
  const catchAll = parseCatchAll(text)?.address ?? null;
  const names = [text, address, catchAll, parseDomainName(text)].filter((each) => each !== null);
  return [...new Set(names)];
}
