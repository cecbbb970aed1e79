import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../../api/change.js';
import { partnerRelayQuery, setPartnerRelay } from '../../../api/relay.js';
import type { PartnerRelay as Relay } from '../../../api/shapes.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { useView } from '../../frame/view.js';

/** Whether the relay provider sends mail of the partner; nothing while the partner has no tenant there. */
export function PartnerRelay({ partnerRef }: { partnerRef: string }) {
  const { data: relay } = useQuery(partnerRelayQuery(partnerRef));
  if (relay === undefined || relay.tenant === null) return null;
  return <Tenant relay={relay} />;
}

function Tenant({ relay: { partner_ref: ref, tenant, relay_status, wanted, cause } }: { relay: Relay }) {
  const { may } = useView();
  const set = useChange(setPartnerRelay(ref));
  const isPaused = relay_status === 'paused';
  const next = isPaused ? 'active' : 'paused';
  const isChanging = wanted !== null && wanted !== relay_status;
  const ask = () =>
    set.mutate(next, {
      onSuccess: () =>
        offerUndo(isPaused ? `Mail of ${ref} is resumed in a moment.` : `Mail of ${ref} is paused in a moment.`, () =>
          set.mutateAsync(isPaused ? 'paused' : 'active'),
        ),
    });
  return (
    <Section title="Relay">
      <Stack gap="sm">
        <StatusMark mark={isPaused ? 'bad' : 'good'}>
          {isPaused ? 'The relay provider does not send its mail, which waits' : 'The relay provider sends its mail'}
        </StatusMark>
        {cause !== null && <Text size="sm">{cause}</Text>}
        {isChanging && (
          <Text size="sm">
            {wanted === 'paused' ? 'A pause is asked for.' : 'It is asked to send again.'} The provider has not
            confirmed it.
          </Text>
        )}
        <Text size="sm" c="dimmed">
          Tenant {tenant}
        </Text>
        {may('putPartnersPartnerRefRelay') && (
          <Group>
            <Button variant="default" loading={set.isPending} onClick={ask}>
              {isPaused ? 'Resume its mail' : 'Pause its mail'}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
