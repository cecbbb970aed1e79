import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { may } from '../../api/caller.js';
import { domainQuery } from '../../api/domains.js';
import { useCaller } from '../../api/session.js';
import type { Operation } from '../../api/shapes.js';
import { DomainStatus } from '../../parts/domain-status.js';
import { TabLink } from '../../parts/links.js';
import { Page } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { useDomainName } from './domain-name.js';

/** The parts of a domain, each with what it reads. */
const TABS = [
  { to: '/domains/$domain', label: 'Overview', reads: 'getDomainsDomainName' },
  { to: '/domains/$domain/dns', label: 'DNS', reads: 'getDomainsDomainNameDnsCheck' },
  { to: '/domains/$domain/mailboxes', label: 'Mailboxes', reads: 'getUsers' },
  { to: '/domains/$domain/aliases', label: 'Aliases', reads: 'getAliases' },
  { to: '/domains/$domain/sending', label: 'Sending', reads: 'getDomainsDomainNameOutbound' },
  { to: '/domains/$domain/history', label: 'History', reads: 'getEvents' },
  { to: '/domains/$domain/settings', label: 'Settings', reads: 'getDomainsDomainName' },
] as const satisfies { to: string; label: string; reads: Operation }[];

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
              {TABS.filter(({ reads }) => may(caller, reads)).map(({ to, label }) => (
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
