import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { TextLink } from '../../../parts/links.js';
import { MessageList } from '../../messages/message-list.js';
import { MessageSearch } from '../../messages/message-search.js';
import { messageFilters } from '../../messages/messages-search.js';
import { useDomainName } from '../domain-name.js';

const route = getRouteApi('/in/domains/$domain/messages');

/** What became of the messages of a domain. */
export function DomainMessagesPage() {
  const domain = useDomainName();
  const asked = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <MessageSearch
        key={`${asked.about} ${asked.mailbox}`}
        asked={asked}
        onAsk={(search) => void navigate({ search: (now) => ({ ...now, ...search }) })}
      />
      <MessageList
        filters={{ ...messageFilters(asked), domain }}
        linkTo={({ id }, time) => (
          <TextLink to="/domains/$domain/messages/$message" params={{ domain, message: id }}>
            {time}
          </TextLink>
        )}
      />
    </Stack>
  );
}
