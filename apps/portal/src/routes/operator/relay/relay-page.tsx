import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { relayQuery } from '../../../api/relay.js';
import type { RelayState } from '../../../api/shapes.js';
import { TextLink } from '../../../parts/links.js';
import { Columns, Page } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { useView } from '../../frame/view.js';
import { AccountSuppression } from './account-suppression.js';
import { RelayAccount } from './relay-account.js';
import { RelayEvents } from './relay-events.js';
import { RelayWarnings } from './relay-warnings.js';

/**
 * The account at the relay provider: what needs somebody first, then what it may send, and whether its events arrive.
 */
export function RelayPage() {
  const query = useQuery(relayQuery);
  return (
    <Page title="Relay">
      <Queried query={query}>{(relay) => <Parts relay={relay} />}</Queried>
    </Page>
  );
}

function Parts({ relay }: { relay: RelayState }) {
  const { may } = useView();
  return (
    <Stack gap="lg">
      <RelayWarnings relay={relay} />
      {relay.provider === 'sandbox' ? (
        <Text size="sm">
          The provider is the sandbox, which sends no mail and has no account. With RELAY_PROVIDER=ses mail leaves by
          Amazon SES.
        </Text>
      ) : (
        <Columns>
          <RelayAccount relay={relay} />
          <RelayEvents relay={relay} />
          {may('deleteRelaySuppressionsAddress') && <AccountSuppression />}
        </Columns>
      )}
      <TextLink to="/operator/jobs" size="sm">
        Whether the provider answers
      </TextLink>
    </Stack>
  );
}
