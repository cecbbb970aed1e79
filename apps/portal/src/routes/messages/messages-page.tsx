import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { TextLink } from '../../parts/links.js';
import { Page } from '../../parts/page.js';
import { t } from '../../texts/texts.js';
import { useView } from '../frame/view.js';
import { MessageList } from './message-list.js';
import { MessageSearch } from './message-search.js';
import { messageFilters } from './messages-search.js';

const route = getRouteApi('/in/messages');

/**
 * What became of the messages of all domains that the caller sees. The service lists those of one partner to it alone,
 * so who sees as a partner has them at each domain.
 */
export function MessagesPage() {
  const asked = route.useSearch();
  const navigate = route.useNavigate();
  const { partnerRef } = useView();
  if (partnerRef !== undefined)
    return (
      <Page title={t('message.title')}>
        <Text size="sm">
          What the partner sees here stands at each of its domains, in the part Messages.{' '}
          <TextLink to="/domains" inherit>
            All domains
          </TextLink>
        </Text>
      </Page>
    );
  return (
    <Page title={t('message.title')}>
      <MessageSearch
        key={`${asked.about} ${asked.mailbox}`}
        asked={asked}
        onAsk={(search) => void navigate({ search: (now) => ({ ...now, ...search }) })}
      />
      <MessageList
        filters={messageFilters(asked)}
        linkTo={({ id }, time) => (
          <TextLink to="/messages/$message" params={{ message: id }}>
            {time}
          </TextLink>
        )}
      />
    </Page>
  );
}
