import { Group, Stack, Text } from '@mantine/core';
import type { Job } from '../../../api/shapes.js';
import { Section } from '../../../parts/page.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';

/** Whether the relay provider answers: its last success and its last failure. */
export function RelayHealth({ relay }: { relay: Job['relay'] }) {
  const { last_success: success = null, last_failure: failure = null } = relay ?? {};
  const isFailing = failure !== null && (success === null || failure.at > success.at);
  return (
    <Section title="Relay provider">
      <Stack gap={4}>
        {success === null && failure === null && <StatusMark mark="none">Not called yet</StatusMark>}
        {success !== null && (
          <Group gap="xs">
            <StatusMark mark={isFailing ? 'none' : 'good'}>Answered</StatusMark>
            <Text size="sm">
              <Time at={success.at} /> ({success.operation})
            </Text>
          </Group>
        )}
        {failure !== null && (
          <Group gap="xs">
            <StatusMark mark={isFailing ? 'bad' : 'none'}>Failed</StatusMark>
            <Text size="sm">
              <Time at={failure.at} /> ({failure.operation}){failure.reason === null ? '' : `: ${failure.reason}`}
            </Text>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
