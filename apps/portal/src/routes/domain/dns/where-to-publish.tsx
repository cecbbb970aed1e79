import { Code, Paper, Stack, Text } from '@mantine/core';
import type { DnsCheck } from '../../../api/shapes.js';
import { PROVIDER_GUIDES } from './provider-guides.js';

/** Says where the records are entered. Names from the DNS are text, never links. */
export function WhereToPublish({ zone }: { zone: DnsCheck['zone'] }) {
  const guide = zone.provider === null ? null : PROVIDER_GUIDES[zone.provider];
  return (
    <Paper withBorder p="sm" component="section" aria-label="Where to publish the records">
      <Stack gap={6}>
        <Text size="sm" fw={600}>
          {guide === null
            ? `Publish these in the DNS zone ${zone.name}`
            : `The DNS of ${zone.name} is at ${guide.name}`}
        </Text>
        <Text size="sm">
          {guide?.where ?? (
            <>
              Log in where the domain was registered, or where its DNS was moved to, and add the records to its DNS
              zone. <NameServers names={zone.name_servers} />
            </>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          Most providers want the short name, where @ is {zone.name} itself; some want the full name.
        </Text>
      </Stack>
    </Paper>
  );
}

/** The first ones name the provider. */
const SHOWN = 4;

function NameServers({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      Its name servers are{' '}
      {names.slice(0, SHOWN).map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Code className="portal-value">{name}</Code>
        </span>
      ))}
      {names.length > SHOWN && ' and others'}.
    </>
  );
}
