import { Switch } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeDomain } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { Section } from '../../../parts/page.js';
import { t } from '../../../texts/texts.js';

/** Whether mail in the name of the domain may come from outside. */
export function OutsideSenders({ domain: { name, external_senders } }: { domain: Domain }) {
  const save = useChange(changeDomain(name));
  return (
    <Section title={t('settings.outsideSenders')}>
      <Switch
        label={t('settings.refuseOutsideSenders')}
        description={t('settings.refuseOutsideSendersWhat')}
        checked={external_senders === 'refuse'}
        disabled={save.isPending}
        onChange={({ currentTarget }) =>
          save.mutate({ body: { external_senders: currentTarget.checked ? 'refuse' : 'allow' } })
        }
      />
    </Section>
  );
}
