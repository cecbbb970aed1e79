import { type AnchorProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from './links.js';

/** Whether there is a page of the partner: browsers turn the path `/operator/partners/..` into another one. */
export function hasPage(partnerRef: string): boolean {
  return partnerRef !== '.' && partnerRef !== '..';
}

/** A link to the page of a partner; text for a partner that has none. */
export function PartnerLink({
  partner,
  children = partner,
  ...props
}: Pick<AnchorProps, 'fw' | 'size'> & { partner: string; children?: ReactNode }) {
  if (!hasPage(partner)) {
    return (
      <Text span {...props}>
        {children}
      </Text>
    );
  }
  return (
    <TextLink to="/operator/partners/$partner" params={{ partner }} {...props}>
      {children}
    </TextLink>
  );
}
