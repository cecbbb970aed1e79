import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../../api/change.js';
import { domainQuery } from '../../../api/domains.js';
import { changeOutbound } from '../../../api/outbound.js';
import type { Caller, Outbound } from '../../../api/shapes.js';
import { MailState } from '../../../parts/mail-state.js';
import { formatRate } from '../../../parts/numbers.js';
import { t } from '../../../texts/texts.js';

interface SendingStateFacts {
  outbound: Outbound;
  reader: Caller;
  mayUnblock: boolean;
}

/** Whether the domain may send now, and how much bounced. A block is lifted here, whatever else stops the domain. */
export function SendingState({ outbound, reader, mayUnblock }: SendingStateFacts) {
  const { name, verdict, incoming, outbound_status, bounce_rate, bounces } = outbound;
  const domain = useQuery(domainQuery(name));
  const isBlocked = outbound_status === 'blocked';
  return (
    <Stack gap="xs">
      <MailState
        domain={name}
        verdict={verdict}
        incoming={incoming}
        reader={reader}
        facts={domain.data}
        actions={isBlocked && mayUnblock && <Unblock name={name} />}
      />
      {!isBlocked && (
        <Text size="sm" c="dimmed">
          {t('sending.rate', { rate: formatRate(bounce_rate), count: bounces })}
        </Text>
      )}
    </Stack>
  );
}

function Unblock({ name }: { name: string }) {
  const unblock = useChange(changeOutbound(name));
  return (
    <Button
      size="xs"
      variant="default"
      loading={unblock.isPending}
      onClick={() => unblock.mutate({ body: { outbound_status: 'active' } })}
    >
      {t('sending.unblock')}
    </Button>
  );
}
