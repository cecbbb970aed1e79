import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { may as mayCall } from '../../../api/caller.js';
import { outboundDaysQuery, outboundQuery } from '../../../api/outbound.js';
import { DaysBars } from '../../../parts/chart/days-bars.js';
import { Columns, Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { BlockSending } from './block-sending.js';
import { Bounces } from './bounces.js';
import { OwnLimits } from './own-limits.js';
import { SendersToday } from './senders-today.js';
import { SendingLimits } from './sending-limits.js';
import { SendingState } from './sending-state.js';
import { SuppressedAddresses } from './suppressed-addresses.js';

/** What a domain may send, what it sent, and what bounced. */
export function SendingPage() {
  const domain = useDomainName();
  const { caller, may } = useView();
  const mayChange = may('putDomainsDomainNameOutbound');
  const outbound = useQuery(outboundQuery(domain));
  const days = useQuery(outboundDaysQuery(domain));
  return (
    <Stack gap="lg">
      <Queried query={outbound}>
        {(state) => (
          <Stack gap="lg">
            <SendingState outbound={state} />
            <Columns>
              <SendingLimits outbound={state} />
              {mayChange && <OwnLimits key={state.name} outbound={state} />}
              {mayChange && caller.kind === 'master' && <BlockSending key={`block-${state.name}`} outbound={state} />}
            </Columns>
          </Stack>
        )}
      </Queried>
      <Section title={t('sending.thirtyDays')}>
        <Queried query={days}>{(rows) => <DaysBars days={rows} />}</Queried>
      </Section>
      <Columns>
        <SendersToday domain={domain} />
        <Bounces domain={domain} />
      </Columns>
      {mayCall(caller, 'getSuppressions') && <SuppressedAddresses domain={domain} />}
    </Stack>
  );
}
