import type { AuditLog } from '@mailstead/core/audit/audit-log';
import { page } from '../http/paging.js';
import { domainNameField } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { AuditQuery, AuditResponse, presentAuditRow } from './audit-dto.js';

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
          return page(
            query,
            (at) => this.audit.page({ partnerRef: query.partner_ref, domain, actor: query.actor }, at),
            presentAuditRow,
          );
        },
      }),
    ];
  }
}
