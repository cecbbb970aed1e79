import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEventHandler, type ReactNode, useEffect } from 'react';
import { Section } from './page.js';

/** The part of `useForm`'s result that is needed here. */
interface SavedForm<Values> {
  onSubmit: (handle: (values: Values) => void) => FormEventHandler<HTMLFormElement>;
  isDirty: () => boolean;
}

interface SettingsFormProps<Values> {
  title: string;
  form: SavedForm<Values>;
  save: { mutate: (values: Values) => void; isPending: boolean };
  /** The fields. */
  children: ReactNode;
}

/** A section of settings that are saved together, by a button that is enabled when one was changed. */
export function SettingsForm<Values>({ title, form, save, children }: SettingsFormProps<Values>) {
  return (
    <Section title={title}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="sm">
          {children}
          <Button type="submit" variant="default" loading={save.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

export function sayItIsSaved(): void {
  notifications.show({ message: 'Saved.' });
}

/** Shows what another caller changed, as long as nothing in the form was changed. */
export function useFreshValues<Values extends object>(
  form: { isDirty: () => boolean; setValues: (values: Values) => void; resetDirty: (values: Values) => void },
  fresh: Values,
): void {
  const text = JSON.stringify(fresh);
  // The values are compared as text, because each answer is another object.
  useEffect(() => {
    const values = JSON.parse(text) as Values;
    if (form.isDirty()) return;
    form.setValues(values);
    form.resetDirty(values);
  }, [text]);
}
