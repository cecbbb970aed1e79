import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dnsCheckQuery } from '../../api/domains.js';
import { TextLink } from '../../parts/links.js';

const NAMES: Record<string, string> = { mx: 'MX', spf: 'SPF', verification: 'ownership', dkim: 'DKIM' };

/** Which record keeps a domain from being verified. Only the few domains of Home ask: each answer asks name servers. */
export function WrongRecords({ name }: { name: string }) {
  const { data } = useQuery(dnsCheckQuery(name));
  const wrong = (data?.checks ?? []).filter(({ required, status }) => required && status !== 'ok');
  const records = [...new Set(wrong.map(({ record }) => NAMES[record] ?? record))];
  return (
    <Text size="sm">
      {records.length > 0 && `Wrong or missing: ${records.join(', ')}. `}
      <TextLink to="/domains/$domain/dns" params={{ domain: name }} inherit>
        See its DNS records
      </TextLink>
    </Text>
  );
}
