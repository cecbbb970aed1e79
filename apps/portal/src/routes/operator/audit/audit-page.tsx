import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { auditQuery } from '../../../api/audit.js';
import { fieldMessagesOf } from '../../../api/problem.js';
import type { AuditFilters } from '../../../api/shapes.js';
import { List } from '../../../parts/list.js';
import { Page } from '../../../parts/page.js';
import { Empty } from '../../../parts/states.js';
import { useView } from '../../frame/view.js';
import { AUDIT_COLUMNS } from './audit-columns.js';
import { AuditNarrowing } from './audit-narrowing.js';
import type { AuditSearch } from './audit-search.js';

const FILE_COLUMNS = ['at', 'actor_kind', 'actor', 'action', 'subject', 'partner_ref', 'request_id'] as const;

const route = getRouteApi('/in/operator/audit');

/** Who changed what, with the values before and after. */
export function AuditPage() {
  const search = route.useSearch();
  const { partnerRef } = useView();
  const list = auditQuery(filtersOf(search, partnerRef));
  const query = useInfiniteQuery(list);
  return (
    <Page title="Audit">
      <AuditNarrowing messages={fieldMessagesOf(query.error)} />
      <List
        noun="change"
        query={query}
        file={{ name: 'audit', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        keyOf={({ id }) => id}
        columns={AUDIT_COLUMNS}
        empty={<Empty title="No change matches" />}
      />
    </Page>
  );
}

function filtersOf(search: AuditSearch, partnerRef: string | undefined): AuditFilters {
  const { order, ...filters } = { ...search, partner_ref: partnerRef ?? search.partner_ref };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), order: order === 'asc' ? 'asc' : 'desc' };
}
