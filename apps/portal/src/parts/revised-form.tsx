import { Alert, List, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { presentRevisionOf } from '../api/present-revision.js';
import { t } from '../texts/texts.js';
import { mergedValues } from './merged-values.js';

/** How often a form is sent again by itself, when others change something that it does not set. */
const MOST_REPEATS = 3;

/** A form of settings that others may change meanwhile. */
export interface RevisedForm<Values extends Record<string, unknown>> {
  form: ReturnType<typeof useForm<Values>>;
  /** Of the state that the form was filled from. It is sent with the change. */
  revision: number;
  /** @returns whether the change was refused because of another one: then the form asks by itself. */
  isRefusedByOther: (error: unknown) => boolean;
  /** Call it when the change was made. */
  noteSaved: () => void;
  /** The fields that others have changed, with what is set now; null while nothing was refused. */
  others: readonly (keyof Values & string)[] | null;
  present: Values;
  /** Rises when the form is to be sent again. */
  repeats: number;
}

/**
 * A form of what is set now. It shows what others change, as long as nothing in it was changed. A change that is
 * refused because others were faster is compared with what is set then: only when they changed what this form sets, its
 * reader decides.
 */
export function useRevisedForm<Values extends Record<string, unknown>>(
  present: Values,
  revision: number,
): RevisedForm<Values> {
  const form = useForm<Values>({ initialValues: present });
  const [base, setBase] = useState({ values: present, revision });
  const [refusedAt, setRefusedAt] = useState<number | null>(null);
  const [others, setOthers] = useState<RevisedForm<Values>['others']>(null);
  const [repeats, setRepeats] = useState(0);
  const text = JSON.stringify(present);
  const fill = (values: Values) => {
    form.setValues(values);
    form.resetDirty(present);
    setBase({ values: present, revision });
  };
  // The values are compared as text, because each answer is another object.
  useEffect(() => {
    if (refusedAt !== null) {
      // What made the revision of the refusal is not read yet.
      if (revision < refusedAt) return;
      const merged = mergedValues(base.values, form.getValues(), present);
      fill(merged.values);
      setRefusedAt(null);
      if (merged.others.length > 0 || repeats >= MOST_REPEATS) setOthers(merged.others);
      else setRepeats(repeats + 1);
    } else if (!form.isDirty()) fill(present);
    else if (text === JSON.stringify(base.values)) setBase({ ...base, revision });
  }, [text, revision, refusedAt]);
  return {
    form,
    revision: base.revision,
    isRefusedByOther: (error) => {
      const at = presentRevisionOf(error);
      setRefusedAt(at);
      return at !== null;
    },
    noteSaved: () => {
      form.resetDirty();
      setOthers(null);
      setRepeats(0);
    },
    others,
    present,
    repeats,
  };
}

interface ChangedMeanwhileProps<Values extends Record<string, unknown>> {
  revised: RevisedForm<Values>;
  /** The labels of the fields. */
  labels: Record<keyof Values & string, string>;
  /** How a value is shown, where it is not its own text. */
  show?: (field: keyof Values & string, value: unknown) => string | undefined;
  /** Sends the form again. */
  onRepeat: () => void;
}

/** What others changed of a form's subject, before it is saved again. */
export function ChangedMeanwhile<Values extends Record<string, unknown>>({
  revised,
  labels,
  show,
  onRepeat,
}: ChangedMeanwhileProps<Values>) {
  const { others, present, repeats } = revised;
  useEffect(() => {
    if (repeats > 0) onRepeat();
  }, [repeats]);
  if (others === null) return null;
  return (
    <Alert variant="default" role="alert" title={t('settings.changedMeanwhile')}>
      <Stack gap="xs">
        {others.length > 0 && (
          <List size="sm">
            {others.map((field) => (
              <List.Item key={field}>
                {t('settings.isNow', {
                  field: labels[field],
                  value: show?.(field, present[field]) ?? textOf(present[field]),
                })}
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm">{t('settings.saveAgain')}</Text>
      </Stack>
    </Alert>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'settings.on' : 'settings.off');
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : t('page.none');
}
