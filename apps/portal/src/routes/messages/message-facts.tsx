import { List, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageQuery } from '../../api/messages.js';
import type { MessageWithSteps } from '../../api/shapes.js';
import { becameText, MESSAGE_MARKS, recipientText, senderText } from '../../parts/message-text.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { formatCount } from '../../parts/numbers.js';
import { Card, Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { StatusMark } from '../../parts/status-mark.js';
import { Time } from '../../parts/time.js';
import { t } from '../../texts/texts.js';

/** One message: whose it is, and what happened to it, step by step. */
export function MessageFacts({ id }: { id: string }) {
  const query = useQuery(messageQuery(id));
  return (
    <Queried query={query}>
      {(message) => (
        <Stack gap="lg">
          <Card>
            <Facts message={message} />
          </Card>
          <Section title={t('message.steps')}>
            <Steps steps={message.steps} />
          </Section>
          <Text size="sm" c="dimmed">
            {t('message.unseen')}
          </Text>
        </Stack>
      )}
    </Queried>
  );
}

function Facts({ message }: { message: MessageWithSteps }) {
  const { state, domain, size, message_id: messageId, count } = message;
  return (
    <Table aria-label={t('message.facts')}>
      <Table.Tbody>
        <Fact name={t('message.what')}>
          <StatusMark mark={MESSAGE_MARKS[state]}>{becameText(message)}</StatusMark>
          {count > 1 && <Text size="sm">{t('message.times', { count })}</Text>}
        </Fact>
        <Fact name={t('message.from')}>{senderText(message)}</Fact>
        <Fact name={t('message.to')}>{recipientText(message)}</Fact>
        <Fact name={t('message.domain')}>
          <NameAsRead name={domain} />
        </Fact>
        {size !== null && <Fact name={t('message.size')}>{formatCount(size)} B</Fact>}
        {messageId !== null && <Fact name={t('message.id')}>{messageId}</Fact>}
      </Table.Tbody>
    </Table>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}

/** The words of other servers are behind a click: they are for people who know them. */
function Steps({ steps }: Pick<MessageWithSteps, 'steps'>) {
  return (
    <List listStyleType="none" spacing="sm" aria-label={t('message.steps')}>
      {steps.map(({ at, step, detail }) => (
        <List.Item key={`${at} ${step}`}>
          <Text size="sm" c="dimmed" component="div">
            <Time at={at} />
          </Text>
          <StatusMark mark={MESSAGE_MARKS[step]}>{t(`step.${step}`)}</StatusMark>
          {detail !== null && (
            <Text component="details" size="sm" style={{ overflowWrap: 'anywhere' }}>
              <summary>{t('message.said')}</summary>
              <span>{detail}</span>
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}
