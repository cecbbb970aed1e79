import { Anchor, Group, Text } from '@mantine/core';
import type { ShownBrand } from '../api/shapes.js';
import { t } from '../texts/texts.js';
import { mailto } from './mailto.js';

/** Where a customer finds help. A link shows its host, so that its reader knows where it leads. */
export function BrandHelp({
  brand: { support_email, support_url },
}: {
  brand: Pick<ShownBrand, 'support_email' | 'support_url'>;
}) {
  if (support_email === null && support_url === null) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{t('page.help')}</Text>
      {support_email !== null && (
        <Anchor href={mailto(support_email)} size="sm" underline="always">
          {support_email}
        </Anchor>
      )}
      {support_url !== null && (
        <Anchor href={support_url} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
          {new URL(support_url).host}
        </Anchor>
      )}
    </Group>
  );
}

/** On every page for the DNS of a domain, so that a copy of such a page that asks for one is recognised. */
export function NoPassword() {
  return <Text size="sm">{t('page.noPassword')}</Text>;
}
