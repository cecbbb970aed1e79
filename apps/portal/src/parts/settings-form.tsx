import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { type FormEventHandler, type ReactNode, useEffect } from 'react';
import { t } from '../texts/texts.js';
import { Section } from './page.js';
import { SaveButton } from './save-button.js';

/** The part of `useForm`'s result that is needed here. */
interface SavedForm<Values> {
  onSubmit: (handle: (values: Values) => void) => FormEventHandler<HTMLFormElement>;
  isDirty: () => boolean;
}

interface SettingsFormProps<Values> {
  title: string;
  /** What a link to these settings has behind `#`. */
  id?: string;
  form: SavedForm<Values>;
  onSave: (values: Values) => void;
  isSaving: boolean;
  /** Whether the page is for these settings: then saving is its main action. */
  isMain?: boolean;
  /** The fields. */
  children: ReactNode;
}

/** A section of settings that are saved together, by a button that is enabled when one was changed. */
export function SettingsForm<Values>({
  title,
  id,
  form,
  onSave,
  isSaving,
  isMain = false,
  children,
}: SettingsFormProps<Values>) {
  return (
    <Section title={title} id={id}>
      <form onSubmit={form.onSubmit(onSave)}>
        <Stack gap="sm">
          {children}
          <SaveButton isChanged={form.isDirty()} isSaving={isSaving} isMain={isMain} />
        </Stack>
      </form>
    </Section>
  );
}

export function sayItIsSaved(): void {
  notifications.show({ message: t('page.saved') });
}

/** A form of what is set now. It shows what another caller changes, as long as nothing in it was changed. */
export function useSettings<Values extends Record<string, unknown>>(
  present: Values,
): ReturnType<typeof useForm<Values>> {
  const form = useForm<Values>({ initialValues: present });
  const text = JSON.stringify(present);
  // The values are compared as text, because each answer is another object.
  useEffect(() => {
    const values = JSON.parse(text) as Values;
    if (form.isDirty()) return;
    form.setValues(values);
    form.resetDirty(values);
  }, [text]);
  return form;
}
