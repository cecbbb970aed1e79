import { Group } from '@mantine/core';
import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { attentionQuery, hasDomainsQuery, type Need } from '../../api/attention.js';
import { may as mayCall } from '../../api/caller.js';
import { rowsOf } from '../../api/paged-list.js';
import type { Webhook } from '../../api/shapes.js';
import { webhooksQuery } from '../../api/webhook-list.js';
import { loadAgain } from '../../load-again.js';
import { TextLink } from '../../parts/links.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { Rows } from '../../parts/row.js';
import { StatusMark } from '../../parts/status-mark.js';
import { useView } from '../frame/view.js';
import { ahead } from '../screen.js';
import { countText, firstOf } from './needing.js';
import { NeedingRow } from './needing-row.js';

// Few need it, and Home is what is loaded first.
const loadSilent = ahead(() => import('./silent-webhooks.js'));
const SilentWebhooks = lazy(async () => ({ default: (await loadAgain(loadSilent)).SilentWebhooks }));

/** What needs someone; of who has no domain yet, webhooks alone. */
export function Attention() {
  const { caller, partnerRef } = useView();
  const hasAny = useQuery(hasDomainsQuery(partnerRef));
  // At once, because it takes longest of what Home shows.
  const attention = useQuery(attentionQuery(partnerRef));
  const mayRead = mayCall(caller, 'getWebhookEndpoints');
  const { data } = useInfiniteQuery({ ...webhooksQuery(partnerRef), enabled: mayRead });
  const silent = (data === undefined ? [] : rowsOf(data)).filter(({ status }) => status === 'disabled');
  return (
    <Queried query={hasAny}>
      {(any) =>
        any ? (
          <Needing query={attention} webhooks={silent} />
        ) : (
          silent.length > 0 && (
            <Section title="What needs you">
              <Suspense>
                <Rows>
                  <SilentWebhooks webhooks={silent} />
                </Rows>
              </Suspense>
            </Section>
          )
        )
      }
    </Queried>
  );
}

/** How many domains need someone for each reason, and what to do about the first ones; webhooks that get nothing. */
function Needing({ query, webhooks }: { query: UseQueryResult<Need[]>; webhooks: readonly Webhook[] }) {
  const needing = query.data ?? [];
  return (
    <Section
      title="What needs you"
      actions={
        <TextLink to="/domains" search={{ show: 'attention' }} size="sm">
          Show all
        </TextLink>
      }
    >
      <Queried query={query}>
        {() =>
          needing.length > 0 ? (
            <Counts needing={needing} />
          ) : (
            <div>
              <StatusMark mark="good">
                {webhooks.length === 0 ? 'Nothing needs you now.' : 'No domain needs you now.'}
              </StatusMark>
            </div>
          )
        }
      </Queried>
      {(webhooks.length > 0 || needing.length > 0) && (
        <Rows>
          <Suspense>{webhooks.length > 0 && <SilentWebhooks webhooks={webhooks} />}</Suspense>
          {firstOf(needing).map(({ reason, domain }) => (
            <NeedingRow key={`${reason} ${domain.id}`} reason={reason} domain={domain} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

/** The counts lead to the lists of the domains that were counted. */
function Counts({ needing }: { needing: readonly Need[] }) {
  return (
    <Group component="ul" aria-label="Domains by reason" gap="4px 16px" p={0} m={0} style={{ listStyle: 'none' }}>
      {needing.map((each) => (
        <li key={each.reason}>
          <TextLink to="/domains" search={{ show: each.reason }} size="sm">
            {countText(each)}
          </TextLink>
        </li>
      ))}
    </Group>
  );
}
