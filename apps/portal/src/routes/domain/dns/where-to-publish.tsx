import { Code, Paper, Stack, Text } from '@mantine/core';
import type { DnsCheck } from '../../../api/shapes.js';
import { rich, t } from '../../../texts/texts.js';
import { PROVIDER_NAMES } from './provider-names.js';

/** Says where the records are entered. Names from the DNS are text, never links. */
export function WhereToPublish({ zone }: { zone: DnsCheck['zone'] }) {
  const { provider } = zone;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('dns.where')}>
      <Stack gap={6}>
        <Text size="sm" fw={600}>
          {provider === null
            ? t('dns.publishInZone', { zone: zone.name })
            : t('dns.zoneIsAt', { zone: zone.name, provider: PROVIDER_NAMES[provider] })}
        </Text>
        <Text size="sm">
          {provider === null ? (
            <>
              {t('dns.elsewhere')} <NameServers names={zone.name_servers} />
            </>
          ) : (
            t(`provider.${provider}`)
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {t('dns.shortNames', { zone: zone.name })}
        </Text>
      </Stack>
    </Paper>
  );
}

/** The first ones name the provider. */
const SHOWN = 4;

function NameServers({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return rich('dns.nameServers', {
    names: () => (
      <>
        {names.slice(0, SHOWN).map((name, index) => (
          <span key={name}>
            {index > 0 && ', '}
            <Code className="portal-value">{name}</Code>
          </span>
        ))}
        {names.length > SHOWN && t('dns.andOthers')}
      </>
    ),
  });
}
