import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messagesQuery } from '../../api/messages.js';
import type { Message, MessageFilters } from '../../api/shapes.js';
import { List } from '../../parts/list.js';
import { becameText, MESSAGE_MARKS, recipientText, senderText } from '../../parts/message-text.js';
import { Empty } from '../../parts/states.js';
import { StatusMark } from '../../parts/status-mark.js';
import type { Column } from '../../parts/table/column.js';
import { Second } from '../../parts/table/second.js';
import { Time } from '../../parts/time.js';
import { rich, t } from '../../texts/texts.js';

const FILE_COLUMNS = ['at', 'direction', 'sender', 'recipient', 'state', 'reason', 'size', 'message_id'] as const;

const S_PER_MINUTE = 60;

interface MessageListProps {
  filters: MessageFilters;
  /** The time of a message, as the link to it. */
  linkTo: (message: Message, time: ReactNode) => ReactNode;
}

/** What became of messages, newest first. */
export function MessageList({ filters, linkTo }: MessageListProps) {
  const list = messagesQuery(filters);
  const query = useInfiniteQuery(list);
  const isOfLastDay = Object.keys(filters).every((filter) => filter === 'state');
  return (
    <Stack>
      {isOfLastDay && <Text size="sm">{t('message.lastDay')}</Text>}
      <Incomplete headers={query.data?.pages[0]?.headers} />
      <List
        noun={t('message.one')}
        nouns={t('message.many')}
        query={query}
        file={{ name: 'messages', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        keyOf={({ id }) => id}
        columns={columnsOf(linkTo)}
        empty={<Empty title={t('message.none')}>{t('message.noneWhat')}</Empty>}
      />
      <Text size="sm" c="dimmed">
        {t('message.unseen')}
      </Text>
    </Stack>
  );
}

function columnsOf(linkTo: MessageListProps['linkTo']): Column<Message>[] {
  return [
    { head: t('message.when'), cell: (message) => linkTo(message, <Time at={message.at} relative />) },
    { head: t('message.from'), isLong: true, cell: senderText },
    { head: t('message.to'), isLong: true, cell: recipientText },
    {
      head: t('message.what'),
      phone: 'bare',
      cell: (message) => (
        <>
          <StatusMark mark={MESSAGE_MARKS[message.state]}>{becameText(message)}</StatusMark>
          {message.count > 1 && <Second>{t('message.times', { count: message.count })}</Second>}
        </>
      ),
    },
  ];
}

/** Says what the list lacks, by the headers of its first page. */
function Incomplete({ headers }: { headers: Headers | undefined }) {
  const behindS = headers?.get('mailstead-trail-behind') ?? null;
  const gapsSince = headers?.get('mailstead-trail-gaps') ?? null;
  return (
    <>
      {behindS !== null && (
        <StatusMark mark="wait">
          {t('message.behind', { minutes: Math.ceil(Number(behindS) / S_PER_MINUTE) })}
        </StatusMark>
      )}
      {gapsSince !== null && <Text size="sm">{rich('message.gaps', { time: () => <Time at={gapsSince} /> })}</Text>}
    </>
  );
}
