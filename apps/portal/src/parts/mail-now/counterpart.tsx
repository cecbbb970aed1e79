import { Anchor, Text } from '@mantine/core';
import { isCustomer } from '../../api/caller.js';
import type { Caller } from '../../api/shapes.js';
import { rich, t } from '../../texts/texts.js';
import { mailto } from '../mailto.js';

/** Whom a customer asks: its provider, by the name and the address of its brand. Nothing for others. */
export function Counterpart({ reader }: { reader: Caller }) {
  if (!isCustomer(reader)) return null;
  const { brand } = reader;
  return (
    <Text size="sm">
      {rich('mail.ask', { name: brand?.name ?? t('mail.provider'), b: (name) => <b>{name}</b> })}
      {brand?.support_email != null && (
        <>
          {': '}
          <Anchor href={mailto(brand.support_email)} inherit underline="always">
            {brand.support_email}
          </Anchor>
        </>
      )}
      {brand?.support_url != null && (
        <>
          {brand.support_email === null ? ': ' : ', '}
          <Anchor href={brand.support_url} target="_blank" rel="noopener noreferrer" inherit underline="always">
            {new URL(brand.support_url).host}
          </Anchor>
        </>
      )}
    </Text>
  );
}
