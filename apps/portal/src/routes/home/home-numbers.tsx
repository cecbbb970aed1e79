import { useQuery } from '@tanstack/react-query';
import { may } from '../../api/caller.js';
import { jobsQuery } from '../../api/jobs.js';
import { meQuery } from '../../api/me.js';
import { useCaller } from '../../api/session.js';
import { TextLink } from '../../parts/links.js';
import { Queried } from '../../parts/queried.js';
import { Numbered, NumberStrip } from './number-strip.js';

/** For the operator: how much there is, of all partners together. */
export function HomeNumbers() {
  const query = useQuery(meQuery);
  return (
    <Queried query={query}>
      {({ partners, domains_used, mailboxes, aliases, sent_today }) => (
        <NumberStrip label="In numbers">
          <Numbered count={partners} label={<TextLink to="/operator/partners">Partners</TextLink>} />
          <Numbered count={domains_used} label={<TextLink to="/domains">Domains</TextLink>} />
          <Numbered count={mailboxes} label="Mailboxes" />
          <Numbered count={aliases} label="Aliases" />
          <Numbered count={sent_today} label="Sent today (UTC)" />
          <WaitingJobs />
        </NumberStrip>
      )}
    </Queried>
  );
}

function WaitingJobs() {
  const mayRead = may(useCaller(), 'getJobs');
  const { data } = useQuery({ ...jobsQuery, enabled: mayRead, refetchInterval: false });
  if (data === undefined) return null;
  const count = data.reduce((sum, { waiting }) => sum + (waiting ?? 0), 0);
  return <Numbered count={count} label={<TextLink to="/operator/jobs">Jobs waiting</TextLink>} />;
}
