import { EventFeed } from '../../../parts/event-feed.js';
import { Empty } from '../../../parts/states.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';

/** What happened to a domain, its mailboxes and its aliases. */
export function HistoryPage() {
  const domain = useDomainName();
  const { partnerRef } = useView();
  return (
    <EventFeed
      filters={{ domain, ...(partnerRef === undefined ? {} : { partner_ref: partnerRef }) }}
      empty={<Empty title={t('events.none')}>{t('domain.historyWhat')}</Empty>}
    />
  );
}
