import { Code, Stack, Text } from '@mantine/core';
import type { RelayState } from '../../../api/shapes.js';
import { countOf } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { Time } from '../../../parts/time.js';

/** What the configuration set publishes, which identities have it, and when events arrived. */
export function RelayEvents({ relay }: { relay: RelayState }) {
  const { configuration_set: set, identities, first_event_at: first, last_event_at: last } = relay;
  return (
    <Section title="Events">
      <Stack gap="sm">
        {set === null ? (
          <Text size="sm">The provider does not know the configuration set of the settings, or was not asked yet.</Text>
        ) : (
          <>
            <Text size="sm">
              The configuration set {set.name} publishes {set.events.length === 0 ? 'nothing' : set.events.join(', ')}
              {set.topics.length === 0 ? '.' : ' to'}
            </Text>
            {set.topics.map((topic) => (
              <Code key={topic} style={{ overflowWrap: 'anywhere' }}>
                {topic}
              </Code>
            ))}
          </>
        )}
        {identities !== null && (
          <Text size="sm">
            {countOf(identities.aligned, 'identity', 'identities')} with this set
            {identities.to_align === 0 ? '' : `, ${identities.to_align} get it with the next daily re-checks`}
          </Text>
        )}
        {last === null ? (
          <Text size="sm">No event about a message has arrived.</Text>
        ) : (
          <Text size="sm">
            Last event <Time at={last} />
            {first === null ? null : (
              <>
                , the first <Time at={first} />
              </>
            )}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
