import { Anchor, Text } from '@mantine/core';
import { isCustomer } from '../../api/caller.js';
import type { Caller } from '../../api/shapes.js';
import { rich, t } from '../../texts/texts.js';
import { mailto } from '../mailto.js';

const NO_SUPPORT = { support_email: null, support_url: null };

/** Whom a customer asks: its provider, by the name and the address of its brand. Nothing for others. */
export function Counterpart({ reader }: { reader: Caller }) {
  if (!isCustomer(reader)) return null;
  const { support_email, support_url } = reader.brand ?? NO_SUPPORT;
  return (
    <Text size="sm">
      {rich('mail.ask', { name: reader.brand?.name ?? t('mail.provider'), b: (name) => <b>{name}</b> })}
      {support_email !== null && (
        <>
          {': '}
          <Anchor href={mailto(support_email)} inherit underline="always">
            {support_email}
          </Anchor>
        </>
      )}
      {support_url !== null && (
        <>
          {support_email === null ? ': ' : ', '}
          <Anchor href={support_url} target="_blank" rel="noopener noreferrer" inherit underline="always">
            {new URL(support_url).host}
          </Anchor>
        </>
      )}
    </Text>
  );
}
