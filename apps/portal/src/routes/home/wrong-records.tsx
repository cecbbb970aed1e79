import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dnsCheckQuery } from '../../api/dns-check.js';
import { TextLink } from '../../parts/links.js';
import { recordNames } from '../../parts/record-names.js';

/** Which record keeps a domain from being verified. Only the few domains of Home ask: each answer asks name servers. */
export function WrongRecords({ name }: { name: string }) {
  const { data } = useQuery(dnsCheckQuery(name));
  const wrong = (data?.checks ?? []).filter(({ required, status }) => required && status !== 'ok');
  return (
    <Text size="xs" c="dimmed">
      {wrong.length > 0 && `Wrong or missing: ${recordNames(wrong.map(({ record }) => record))}. `}
      <TextLink to="/domains/$domain/dns" params={{ domain: name }} inherit>
        See its DNS records
      </TextLink>
    </Text>
  );
}
