import { useQuery } from '@tanstack/react-query';
import { partnerOutboundDaysQuery } from '../../api/outbound.js';
import { DaysChart } from '../../parts/days-chart.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';

export function SendingDays({ partnerRef }: { partnerRef: string | undefined }) {
  const query = useQuery(partnerOutboundDaysQuery(partnerRef));
  return (
    <Section title="30 days of sending">
      <Queried query={query}>{(days) => <DaysChart days={days} />}</Queried>
    </Section>
  );
}
