import { Group, Text } from '@mantine/core';
import { useCaller } from '../api/session.js';
import type { Event } from '../api/shapes.js';
import { eventSubject, eventWithCauses } from './event-text.js';
import { TextLink } from './links.js';
import { NameAsRead } from './name-as-read.js';
import { Time } from './time.js';

/** One event as a sentence, with its domain as a link. */
export function EventLine({ event }: { event: Event }) {
  const { at, domain, type } = event;
  const reader = useCaller();
  const subject = eventSubject(event);
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="md">
      <Text size="sm">
        {domain === null || type === 'domain.deleted' ? (
          <NameAsRead name={subject} />
        ) : (
          <TextLink to="/domains/$domain" params={{ domain }} inherit>
            <NameAsRead name={subject} />
          </TextLink>
        )}{' '}
        {eventWithCauses(event, reader)}
      </Text>
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        <Time at={at} relative />
      </Text>
    </Group>
  );
}
