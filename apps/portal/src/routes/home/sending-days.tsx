import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { DaysChart } from '../../parts/days-chart.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';

export function SendingDays({ partnerRef }: { partnerRef: string | undefined }) {
  const query = useQuery({
    queryKey: ['outbound-days', partnerRef ?? null],
    queryFn: async () => {
      const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
      return (await api.GET('/outbound/days', { params: { query: filter } })).data ?? [];
    },
  });
  return (
    <Section title="30 days of sending">
      <Queried query={query}>{(days) => <DaysChart days={days} />}</Queried>
    </Section>
  );
}
