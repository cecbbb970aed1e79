import { Button, Group, TextInput } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeDomain } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { Section } from '../../../parts/page.js';
import { useSettings } from '../../../parts/settings-form.js';
import { t } from '../../../texts/texts.js';

/** What the partner's own system calls the domain. */
export function Reference({ domain: { name, external_ref } }: { domain: Domain }) {
  const form = useSettings({ external_ref: external_ref ?? '' });
  const save = useChange(changeDomain(name), {
    onDone: () => form.resetDirty(),
    onRefused: (error) => showProblem(form, error, 'external_ref'),
  });
  return (
    <Section title={t('settings.reference')}>
      <form onSubmit={form.onSubmit(({ external_ref: text }) => save.mutate({ external_ref: text.trim() || null }))}>
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            label={t('settings.ownReference')}
            description={t('settings.ownReferenceWhat')}
            {...form.getInputProps('external_ref')}
          />
          <Button type="submit" variant="default" loading={save.isPending} disabled={!form.isDirty()}>
            {t('page.save')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}
