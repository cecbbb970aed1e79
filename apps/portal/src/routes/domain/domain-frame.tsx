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
import { t } from '../../texts/texts.js';
import { useDomainName } from './domain-name.js';

/** The parts of a domain, each with what it reads. */
const TABS = [
  { to: '/domains/$domain', label: 'frame.overview', reads: 'getDomainsDomainName' },
  { to: '/domains/$domain/dns', label: 'frame.dns', reads: 'getDomainsDomainNameDnsCheck' },
  { to: '/domains/$domain/mailboxes', label: 'frame.mailboxes', reads: 'getUsers' },
  { to: '/domains/$domain/aliases', label: 'frame.aliases', reads: 'getAliases' },
  { to: '/domains/$domain/sending', label: 'frame.sending', reads: 'getDomainsDomainNameOutbound' },
  { to: '/domains/$domain/messages', label: 'frame.messages', reads: 'getMessages' },
  { to: '/domains/$domain/history', label: 'frame.history', reads: 'getEvents' },
  { to: '/domains/$domain/settings', label: 'frame.settings', reads: 'getDomainsDomainName' },
] as const satisfies { to: string; label: `frame.${string}`; reads: Operation }[];

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
          <Stack gap="lg">
            <Group component="nav" aria-label={t('frame.partsOfDomain')} wrap="nowrap" className="portal-tabs">
              {TABS.filter(({ reads }) => may(caller, reads)).map(({ to, label }) => (
                <TabLink
                  key={to}
                  to={to}
                  params={{ domain: name }}
                  activeOptions={{ exact: to === '/domains/$domain' }}
                >
                  {t(label)}
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
