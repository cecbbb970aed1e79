import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../api/me.js';
import { limitWords, UsedBar } from '../../parts/headroom.js';
import { formatLimit } from '../../parts/numbers.js';
import { Queried } from '../../parts/queried.js';
import { Numbered, NumberStrip } from './number-strip.js';

/** What is used of the key's limits. A key with some domains only does not see what its partner uses. */
export function HomeHeadroom() {
  const query = useQuery(meQuery);
  return (
    <Queried query={query}>
      {({ limits, domains_used, mailboxes, aliases, sent_today, sent_this_month }) => (
        <NumberStrip label="Headroom">
          {limits !== null && domains_used !== null && (
            <Numbered
              count={domains_used}
              label="Domains"
              note={
                <>
                  {limitWords(limits.domains_allowed)}
                  <UsedBar label="Domains" used={domains_used} limit={limits.domains_allowed} />
                </>
              }
            />
          )}
          <Numbered
            count={mailboxes}
            label="Mailboxes"
            note={limits !== null && `${formatLimit(limits.mailboxes_per_domain)} a domain`}
          />
          <Numbered
            count={aliases}
            label="Aliases"
            note={limits !== null && `${formatLimit(limits.aliases_per_mailbox)} a mailbox`}
          />
          <Numbered count={sent_today} label="Sent today" />
          <Numbered count={sent_this_month} label="Sent this month" />
        </NumberStrip>
      )}
    </Queried>
  );
}
