import { Button, Group, Text } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeOutbound } from '../../../api/outbound.js';
import type { Outbound } from '../../../api/shapes.js';
import { formatRate } from '../../../parts/numbers.js';
import { type Mark, StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';
import { verdictText } from './verdict-text.js';

const REASONS: Record<NonNullable<Outbound['blocked_reason']>, string> = {
  bounce_rate: 'Too many of its messages came back.',
  complaint_rate: 'Too many recipients called its mail spam.',
  operator: 'The operator stopped it.',
};

const MARKS: Record<Outbound['verdict']['action'], Mark> = { accept: 'good', defer: 'wait', reject: 'bad' };

/** Whether the domain may send now: the API's verdict, and for a blocked domain why and since when. */
export function SendingState({ outbound, mayUnblock }: { outbound: Outbound; mayUnblock: boolean }) {
  const { verdict, bounce_rate, bounces } = outbound;
  return (
    <Group gap="xs" role="status">
      <StatusMark mark={MARKS[verdict.action]}>{verdictText(verdict)}</StatusMark>
      {outbound.outbound_status === 'blocked' ? (
        <Blocked outbound={outbound} mayUnblock={mayUnblock} />
      ) : (
        <Text size="sm" c="dimmed">
          {formatRate(bounce_rate)} of its mail came back in 30 days ({bounces}).
        </Text>
      )}
    </Group>
  );
}

function Blocked({ outbound, mayUnblock }: { outbound: Outbound; mayUnblock: boolean }) {
  const { blocked_reason, blocked_at } = outbound;
  return (
    <>
      <Text size="sm">
        {blocked_reason === null ? '' : `${REASONS[blocked_reason]} `}
        {blocked_at !== null && (
          <>
            Blocked since <Time at={blocked_at} />.
          </>
        )}
      </Text>
      {mayUnblock ? (
        <Unblock name={outbound.name} />
      ) : (
        <Text size="sm">Only the operator can lift it; ask when the list of recipients is clean.</Text>
      )}
    </>
  );
}

function Unblock({ name }: { name: string }) {
  const unblock = useChange(changeOutbound(name));
  return (
    <Button
      size="xs"
      variant="default"
      loading={unblock.isPending}
      onClick={() => unblock.mutate({ outbound_status: 'active' })}
    >
      Let it send again
    </Button>
  );
}
