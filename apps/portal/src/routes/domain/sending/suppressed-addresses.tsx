import { useState } from 'react';
import type { Suppression } from '../../../api/shapes.js';
import { Section } from '../../../parts/page.js';
import { t } from '../../../texts/texts.js';
import { SuppressionList } from '../../suppressions/suppression-list.js';

/** The addresses to which the domain alone does not send. */
export function SuppressedAddresses({ domain }: { domain: string }) {
  const [reason, setReason] = useState<Suppression['reason']>();
  return (
    <Section title={t('suppression.title')}>
      <SuppressionList domain={domain} reason={reason} onReason={setReason} />
    </Section>
  );
}
