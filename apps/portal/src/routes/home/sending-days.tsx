import { useQuery } from '@tanstack/react-query';
import { partnerOutboundDaysQuery } from '../../api/partner-days.js';
import { DaysBars } from '../../parts/chart/days-bars.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';

/** Of the caller's partner, of the partner that an operator looks at, or of all. */
export function SendingDays({ partnerRef }: { partnerRef: string | undefined }) {
  const query = useQuery(partnerOutboundDaysQuery(partnerRef));
  return (
    <Section title="30 days of sending">
      <Queried query={query}>{(days) => <DaysBars days={days} />}</Queried>
    </Section>
  );
}
