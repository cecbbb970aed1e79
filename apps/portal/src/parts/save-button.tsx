import { Button, Group } from '@mantine/core';
import { t } from '../texts/texts.js';

interface SaveButtonProps {
  isChanged: boolean;
  isSaving: boolean;
  /** Whether the form is what its page, or its dialog, is for. */
  isMain?: boolean;
}

/** Saves a form: it stands below the fields, at their start. Filled when there is something to save on a main form. */
export function SaveButton({ isChanged, isSaving, isMain = false }: SaveButtonProps) {
  return (
    <Group>
      <Button
        type="submit"
        variant={isMain && isChanged ? 'filled' : 'default'}
        loading={isSaving}
        disabled={!isChanged}
      >
        {t('page.save')}
      </Button>
    </Group>
  );
}
