import { Button, Group, Text } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { api } from '../../../api/client.js';
import type { Outbound } from '../../../api/shapes.js';
import { formatRate } from '../../../parts/numbers.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';

const REASONS: Record<NonNullable<Outbound['blocked_reason']>, string> = {
  bounce_rate: 'Too many of its messages came back.',
  complaint_rate: 'Too many recipients called its mail spam.',
  operator: 'The operator stopped it.',
};

/** Whether the domain may send at all. */
export function SendingState({ outbound, mayUnblock }: { outbound: Outbound; mayUnblock: boolean }) {
  const { outbound_status, blocked_reason, blocked_at, verified, bounce_rate, bounces } = outbound;
  if (outbound_status === 'blocked')
    return (
      <Group gap="xs" role="status">
        <StatusMark mark="bad">Sending is blocked</StatusMark>
        <Text size="sm">
          {blocked_reason === null ? '' : `${REASONS[blocked_reason]} `}
          {blocked_at !== null && (
            <>
              Since <Time at={blocked_at} />.
            </>
          )}
        </Text>
        {mayUnblock ? (
          <Unblock name={outbound.name} />
        ) : (
          <Text size="sm">Only the operator can lift it; ask when the list of recipients is clean.</Text>
        )}
      </Group>
    );
  if (!verified)
    return (
      <Group gap="xs" role="status">
        <StatusMark mark="wait">Not verified, so it may not send yet</StatusMark>
      </Group>
    );
  return (
    <Group gap="xs" role="status">
      <StatusMark mark="good">May send</StatusMark>
      <Text size="sm" c="dimmed">
        {formatRate(bounce_rate)} of its mail came back in 30 days ({bounces}).
      </Text>
    </Group>
  );
}

function Unblock({ name }: { name: string }) {
  const unblock = useChange({
    run: async () => {
      await api.PUT('/domains/{domain_name}/outbound', {
        params: { path: { domain_name: name } },
        body: { outbound_status: 'active' },
      });
    },
    touches: () => [['domain', name], ['domains']],
  });
  return (
    <Button size="xs" variant="default" loading={unblock.isPending} onClick={() => unblock.mutate(undefined)}>
      Let it send again
    </Button>
  );
}
