import { List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { failedMessagesQuery } from '../api/messages.js';
import { t } from '../texts/texts.js';
import { TextLink } from './links.js';
import { becameText, recipientText } from './message-text.js';
import { Card } from './page.js';
import { Time } from './time.js';

/** What the last messages that did not arrive failed by: each leads to its steps. Nothing without one. */
export function FailedMessages({ domain, mailbox }: { domain: string; mailbox?: string | undefined }) {
  const { data = [] } = useQuery(failedMessagesQuery(domain, mailbox));
  if (data.length === 0) return null;
  return (
    <Card>
      <Stack gap={6} className="portal-card-body">
        <Text size="sm">{t('message.failed')}</Text>
        <List size="sm" aria-label={t('message.failed')}>
          {data.map((message) => (
            <List.Item key={message.id}>
              <TextLink
                to="/domains/$domain/messages/$message"
                params={{ domain, message: message.id }}
                size="sm"
                inherit
              >
                {recipientText(message)}
              </TextLink>{' '}
              {becameText(message)}, <Time at={message.at} relative />
            </List.Item>
          ))}
        </List>
      </Stack>
    </Card>
  );
}
