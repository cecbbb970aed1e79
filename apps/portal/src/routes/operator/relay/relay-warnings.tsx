import { Text } from '@mantine/core';
import type { RelayState } from '../../../api/shapes.js';
import { Section } from '../../../parts/page.js';
import { Row, Rows } from '../../../parts/row.js';
import { StatusMark } from '../../../parts/status-mark.js';

const NONE = 'No warnings: the account may send, and its events arrive.';

/** What needs somebody, and what to do about it. */
export function RelayWarnings({ relay: { warnings } }: { relay: RelayState }) {
  return (
    <Section title="What needs you">
      {warnings.length === 0 && <StatusMark mark="good">{NONE}</StatusMark>}
      {warnings.length > 0 && (
        <Rows>
          {warnings.map(({ name, detail }) => (
            <Row
              key={name}
              severity="wait"
              title={
                <Text size="sm" fw={600}>
                  {TITLES[name] ?? name}
                </Text>
              }
            >
              <Text size="sm">{detail}.</Text>
            </Row>
          ))}
        </Rows>
      )}
    </Section>
  );
}

const TITLES: Record<string, string> = {
  relay_events_not_published: 'Bounces and complaints are not published',
  relay_never_heard: 'No event of the provider ever arrived',
  relay_silent: 'No event of the provider arrives any more',
  relay_sandbox: 'The account has no production access',
  relay_probation: 'The provider reviews the account',
  relay_shutdown: 'The provider has stopped the account',
  relay_quota: 'The sending quota is nearly used',
  relay_suppression_shared: 'The set overrides the suppression lists of the tenants',
  relay_tenants: 'Tenants of partners cannot be made',
};
