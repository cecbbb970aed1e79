import { Stack, Text } from '@mantine/core';
import type { RelayState } from '../../../api/shapes.js';
import { Headroom } from '../../../parts/headroom.js';
import { formatCount } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';

/** What the account may send, as the provider last said. */
export function RelayAccount({ relay: { account, checked_at } }: { relay: RelayState }) {
  return (
    <Section title="Account">
      <Stack gap="sm">
        {account === null ? <Text size="sm">The account was not read yet.</Text> : <Facts account={account} />}
        {checked_at !== null && (
          <Text size="sm" c="dimmed">
            Read <Time at={checked_at} />
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function Facts({ account }: { account: NonNullable<RelayState['account']> }) {
  const { production_access, sending_enabled, enforcement, quota_24h, sent_24h, max_per_second } = account;
  return (
    <>
      <StatusMark mark={sending_enabled ? 'good' : 'bad'}>
        {sending_enabled ? 'The provider sends its mail' : 'The provider does not send its mail'}
      </StatusMark>
      <StatusMark mark={production_access ? 'good' : 'warn'}>
        {production_access ? 'Mail to every recipient' : 'Sandbox of SES: mail to verified recipients only'}
      </StatusMark>
      <StatusMark mark={MARKS[enforcement] ?? 'bad'}>{`Reputation: ${enforcement}`}</StatusMark>
      <Headroom label="Sent in 24 hours" used={sent_24h} limit={Math.max(0, quota_24h)} />
      <Text size="sm">At most {formatCount(max_per_second)} messages a second</Text>
    </>
  );
}

const MARKS: Record<string, 'good' | 'warn' | 'bad'> = { HEALTHY: 'good', PROBATION: 'warn', SHUTDOWN: 'bad' };
