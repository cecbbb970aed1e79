import { useParams } from '@tanstack/react-router';
import { TextLink } from '../../parts/links.js';
import { Page } from '../../parts/page.js';
import { t } from '../../texts/texts.js';
import { MessageFacts } from './message-facts.js';

/** One message of any domain that the caller sees, also of one that is gone. */
export function MessagePage() {
  const { message } = useParams({ from: '/in/messages/$message' });
  return (
    <Page title={t('message.aMessage')}>
      <TextLink to="/messages" size="sm">
        {t('message.back')}
      </TextLink>
      <MessageFacts id={message} />
    </Page>
  );
}
