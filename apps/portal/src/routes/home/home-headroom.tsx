import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../api/me.js';
import { Headroom } from '../../parts/headroom.js';
import { formatCount, formatLimit } from '../../parts/numbers.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';

/** What is used of the key's limits. A key with some domains only does not see what its partner uses. */
export function HomeHeadroom() {
  const query = useQuery(meQuery);
  return (
    <Section title="Headroom">
      <Queried query={query}>
        {({ limits, domains_used, mailboxes, aliases, sent_today, sent_this_month }) => (
          <Stack gap="sm">
            {limits !== null && domains_used !== null && (
              <Headroom label="Domains" used={domains_used} limit={limits.domains_allowed} />
            )}
            {limits !== null && (
              <Text size="sm" c="dimmed">
                {formatLimit(limits.mailboxes_per_domain)} mailboxes a domain, {formatLimit(limits.aliases_per_mailbox)}{' '}
                aliases a mailbox
              </Text>
            )}
            <Counted label="Mailboxes" count={mailboxes} />
            <Counted label="Aliases" count={aliases} />
            <Counted label="Sent today" count={sent_today} />
            <Counted label="Sent this month" count={sent_this_month} />
          </Stack>
        )}
      </Queried>
    </Section>
  );
}

function Counted({ label, count }: { label: string; count: number | null | undefined }) {
  if (count === null || count === undefined) return null;
  return (
    <Text size="sm" component="div" style={{ display: 'flex', justifyContent: 'space-between' }}>
      <span>{label}</span>
      <span>{formatCount(count)}</span>
    </Text>
  );
}
