import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mailSettingsQuery } from '../api/mail-settings.js';
import { useView } from '../routes/frame/view.js';
import { Section } from './page.js';

/**
 * Names to the operator the settings of the mail servers that are not set; nothing when all are. Nobody else reads
 * names of settings.
 */
export function SetUpMailServers({ of }: { of?: string[] }) {
  const { caller, partnerRef } = useView();
  const isShown = caller.kind === 'master' && partnerRef === undefined;
  const { data } = useQuery({ ...mailSettingsQuery, enabled: isShown });
  const unset = (data?.unset ?? []).filter((name) => of?.includes(name) ?? true);
  if (!isShown || unset.length === 0) return null;
  return (
    <Section title="Set up mail servers">
      <Text size="sm">
        Not set yet: {namesOf(unset)}. Set them and start the service again.
        {data?.example === true && ' Until then everybody sees examples in their place.'}
      </Text>
    </Section>
  );
}

function namesOf(settings: string[]) {
  return settings.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Code>{name}</Code>
    </span>
  ));
}
