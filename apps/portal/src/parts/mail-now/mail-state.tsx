import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isOperator } from '../../api/caller.js';
import { domainQuery } from '../../api/domains.js';
import type { Caller, Domain, Incoming, Operation, Verdict } from '../../api/shapes.js';
import { useView } from '../../routes/frame/view.js';
import { t } from '../../texts/texts.js';
import { FailedMessages } from '../failed-messages.js';
import { Card } from '../page.js';
import { StatusMark } from '../status-mark.js';
import { incomingText, verdictText } from '../verdict-text.js';
import { DnsStops, lacksMx } from './dns-stops.js';
import { ReceivingStop } from './receiving-stop.js';
import { SendingStop } from './sending-stop.js';
import { StopCard } from './stop-card.js';

interface MailStateProps {
  domain: string;
  verdict: Verdict;
  incoming: Incoming;
  /** False: nobody can log in to the mailbox, which is told before the verdict. */
  isActive?: boolean;
  /** Set on the screen of a mailbox. */
  mailbox?: string;
}

/** What the cards tell from, and who reads them. */
export interface MailStateFacts extends MailStateProps {
  reader: Caller;
  /** Whether the control for this operation is shown. */
  may: (operation: Operation) => boolean;
  /** The domain, for its block and for what it lacks in the DNS. Undefined while it is read. */
  facts: Pick<Domain, 'attention' | 'missing_dns' | 'blocked_reason'> | undefined;
}

/** Whether mail goes out and comes in: a card for each stop. All of it is the API's. */
export function MailState(props: MailStateProps) {
  const { domain, verdict, incoming, isActive = true, mailbox } = props;
  const { caller: reader, may } = useView();
  const { data: facts } = useQuery(domainQuery(domain));
  const state: MailStateFacts = { ...props, reader, may, facts };
  const isSending = verdict.reason === null;
  const isReceiving = incoming.action === 'accept' && !lacksMx(facts);
  const fine = [isSending && verdictText(verdict), isReceiving && incomingText(incoming)].filter(
    (text) => text !== false,
  );
  return (
    <Stack gap="sm" component="section" aria-label={t('mail.now')}>
      <Stack gap="sm" role="status">
        {!isActive && <SwitchedOff reader={reader} />}
        {!isSending && <SendingStop {...state} />}
        {!isReceiving && <ReceivingStop {...state} />}
        {facts !== undefined && <DnsStops {...state} facts={facts} />}
        {fine.length > 0 && (
          <Card>
            <Group gap="xs" className="portal-card-body">
              {fine.map((text) => (
                <StatusMark key={text} mark="good">
                  {text}
                </StatusMark>
              ))}
            </Group>
          </Card>
        )}
      </Stack>
      {may('getMessages') && <FailedMessages domain={domain} mailbox={mailbox} />}
    </Stack>
  );
}

function SwitchedOff({ reader }: Pick<MailStateFacts, 'reader'>) {
  const who = t(isOperator(reader) ? 'mail.partner' : 'mail.you');
  const now = (
    <Text size="sm">
      {t('mail.whoMustAct', { who })} {t('mail.switchOn')}
    </Text>
  );
  return <StopCard severity="off" what={t('mail.inactive')} now={now} />;
}
