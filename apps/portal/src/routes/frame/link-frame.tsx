import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCaller } from '../../api/session.js';
import { BrandHelp, NoPassword } from '../../parts/brand-help.js';
import { BrandMark } from '../../parts/brand-mark.js';
import { SiteName } from '../../parts/site-name.js';
import { DemoMark } from './brand.js';
import { Shell } from './shell.js';

/**
 * What surrounds the screens of who came by a link: a customer, who knows its provider and not this service. Without a
 * brand it names nobody.
 */
export function LinkFrame({ who, children }: { who: ReactNode; children: ReactNode }) {
  const { brand, link } = useCaller();
  const header = (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="xs" wrap="nowrap" miw={0}>
        {brand !== null && <BrandMark brand={brand} />}
        <DemoMark />
      </Group>
      {who}
    </Group>
  );
  return (
    <SiteName value={brand?.name ?? null}>
      <Shell header={header}>
        {children}
        <Stack component="footer" gap={4} px="md" pb="md">
          {brand !== null && <BrandHelp brand={brand} />}
          {link === 'dns' && <NoPassword />}
        </Stack>
      </Shell>
    </SiteName>
  );
}
