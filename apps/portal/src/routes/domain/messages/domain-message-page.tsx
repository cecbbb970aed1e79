import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { TextLink } from '../../../parts/links.js';
import { t } from '../../../texts/texts.js';
import { MessageFacts } from '../../messages/message-facts.js';

/** One message of a domain. */
export function DomainMessagePage() {
  const { domain, message } = useParams({ from: '/in/domains/$domain/messages/$message' });
  return (
    <Stack>
      <TextLink to="/domains/$domain/messages" params={{ domain }} size="sm">
        {t('message.back')}
      </TextLink>
      <MessageFacts id={message} />
    </Stack>
  );
}
