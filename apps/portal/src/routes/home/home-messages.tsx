import { useNavigate } from '@tanstack/react-router';
import { t } from '../../texts/texts.js';
import { AskMessage } from '../messages/ask-message.js';

/** Leads to the messages of all domains. */
export function HomeMessages() {
  const navigate = useNavigate();
  return (
    <AskMessage label={t('ask.message')} onAsk={(about) => void navigate({ to: '/messages', search: { about } })} />
  );
}
