import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { readsContents, readsHistory } from '../../api/caller.js';
import { domainQuery } from '../../api/domains.js';
import { useCaller } from '../../api/session.js';
import { DomainStatus } from '../../parts/domain-status.js';
import { TabLink } from '../../parts/links.js';
import { Page } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { useDomainName } from './domain-name.js';

const everyone = () => true;

const TABS = [
  { to: '/domains/$domain', label: 'Overview', isFor: everyone },
  { to: '/domains/$domain/dns', label: 'DNS', isFor: everyone },
  { to: '/domains/$domain/mailboxes', label: 'Mailboxes', isFor: readsContents },
  { to: '/domains/$domain/aliases', label: 'Aliases', isFor: readsContents },
  { to: '/domains/$domain/sending', label: 'Sending', isFor: readsContents },
  { to: '/domains/$domain/history', label: 'History', isFor: readsHistory },
  { to: '/domains/$domain/settings', label: 'Settings', isFor: everyone },
] as const;

/** What surrounds every screen of one domain. A link to the DNS page may read nothing else of the domain. */
export function DomainFrame() {
  const name = useDomainName();
  return useCaller().link === 'dns' ? (
    <Page title={name}>
      <Outlet />
    </Page>
  ) : (
    <WholeDomain name={name} />
  );
}

function WholeDomain({ name }: { name: string }) {
  const caller = useCaller();
  const query = useQuery(domainQuery(name));
  return (
    <Page title={name} actions={query.data !== undefined && <DomainStatus domain={query.data} />}>
      <Queried query={query}>
        {() => (
          <Stack>
            <Group component="nav" aria-label="Parts of the domain" gap={0} wrap="nowrap" className="portal-tabs">
              {TABS.filter(({ isFor }) => isFor(caller)).map(({ to, label }) => (
                <TabLink
                  key={to}
                  to={to}
                  params={{ domain: name }}
                  activeOptions={{ exact: to === '/domains/$domain' }}
                >
                  {label}
                </TabLink>
              ))}
            </Group>
            <Outlet />
          </Stack>
        )}
      </Queried>
    </Page>
  );
}
