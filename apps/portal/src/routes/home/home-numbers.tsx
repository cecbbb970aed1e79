import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { may } from '../../api/caller.js';
import { jobsQuery } from '../../api/jobs.js';
import { meQuery } from '../../api/me.js';
import { useCaller } from '../../api/session.js';
import { TextLink } from '../../parts/links.js';
import { formatCount } from '../../parts/numbers.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';

/** For the operator: how much there is, of all partners together. */
export function HomeNumbers() {
  const query = useQuery(meQuery);
  return (
    <Section title="In numbers">
      <Queried query={query}>
        {({ partners, domains_used, mailboxes, aliases, sent_today }) => (
          <SimpleGrid component="ul" cols={{ base: 2, sm: 3 }} p={0} m={0} style={{ listStyle: 'none' }}>
            <Numbered count={partners} label={<TextLink to="/operator/partners">partners</TextLink>} />
            <Numbered count={domains_used} label={<TextLink to="/domains">domains</TextLink>} />
            <Numbered count={mailboxes} label="mailboxes" />
            <Numbered count={aliases} label="aliases" />
            <Numbered count={sent_today} label="sent today (UTC)" />
            <WaitingJobs />
          </SimpleGrid>
        )}
      </Queried>
    </Section>
  );
}

function WaitingJobs() {
  const mayRead = may(useCaller(), 'getJobs');
  const { data } = useQuery({ ...jobsQuery, enabled: mayRead, refetchInterval: false });
  if (data === undefined) return null;
  const count = data.reduce((sum, { waiting }) => sum + (waiting ?? 0), 0);
  return <Numbered count={count} label={<TextLink to="/operator/jobs">jobs waiting</TextLink>} />;
}

function Numbered({ count, label }: { count: number | null; label: ReactNode }) {
  if (count === null) return null;
  return (
    <li>
      <Text fz="xl" fw={600} component="div">
        {formatCount(count)}
      </Text>
      <Text size="sm" c="dimmed" component="div" className="portal-inherit">
        {label}
      </Text>
    </li>
  );
}
