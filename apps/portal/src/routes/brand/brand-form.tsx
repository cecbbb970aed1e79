import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { changeBrand, removeBrand } from '../../api/brand.js';
import { useChange } from '../../api/change.js';
import type { Bodies, Brand } from '../../api/shapes.js';
import { BrandMark } from '../../parts/brand-mark.js';
import { showProblem } from '../../parts/form-problems.js';
import { offerUndo } from '../../parts/offer-undo.js';
import { ChangedMeanwhile, useRevisedForm } from '../../parts/revised-form.js';
import { SettingsForm, sayItIsSaved } from '../../parts/settings-form.js';
import { LANGUAGES, type Language } from '../../texts/language.js';
import { dataUrlOf, LogoField, logoOf } from './logo-field.js';

const COLOUR = /^#[0-9a-f]{6}$/i;
const CHOICES = [{ value: '', label: "As the reader's browser" }].concat(
  Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
);

const LABELS = {
  name: 'Name',
  logo: 'Logo',
  colour: 'Colour',
  support_email: 'Support address',
  support_url: 'Support page',
  language: 'Language',
  locked: 'Only operators change this brand',
};

interface BrandFormProps {
  present: Brand;
  /** The partner, for master; without one the brand is that of the caller's partner. */
  partnerRef?: string;
}

/**
 * The brand of a partner, with a look at what customers will see. Master also decides whether the partner changes it.
 */
export function BrandForm({ present, partnerRef }: BrandFormProps) {
  const revised = useRevisedForm(valuesOf(present), present.revision);
  const { form, revision } = revised;
  const save = useChange(changeBrand(partnerRef), {
    onDone: () => {
      revised.noteSaved();
      sayItIsSaved();
    },
    onRefused: (error) => revised.isRefusedByOther(error) || showProblem(form, error, 'name'),
  });
  const send = (typed: typeof form.values) => save.mutate({ body: bodyOf(typed, partnerRef === undefined), revision });
  const { name, colour } = form.values;
  const logo = logoOf(form.values.logo);
  const shown = { name: name.trim() || null, logo, colour: COLOUR.test(colour) ? colour : null };
  return (
    <SettingsForm
      title="What customers see"
      form={form}
      isSaving={save.isPending}
      isMain={partnerRef === undefined}
      onSave={send}
    >
      <ChangedMeanwhile revised={revised} labels={LABELS} show={shownText} onRepeat={() => send(form.getValues())} />
      <Stack gap={4} component="section" aria-label="Preview">
        {shown.name === null && logo === null ? (
          <Text size="sm">Without a name and a logo the page of a customer names nobody.</Text>
        ) : (
          <div>
            <BrandMark brand={shown} />
          </div>
        )}
      </Stack>
      <TextInput label={LABELS.name} autoComplete="off" maxLength={64} {...form.getInputProps('name')} />
      <LogoField
        value={form.values.logo}
        {...(typeof form.errors.logo === 'string' ? { error: form.errors.logo } : {})}
        onChange={(chosen) => form.setFieldValue('logo', chosen)}
        onProblem={(reason) => form.setFieldError('logo', reason)}
      />
      <TextInput
        label={LABELS.colour}
        description="Behind the name, such as #1f5f8b. The text on it is black or white, whichever can be read"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('colour')}
      />
      <TextInput
        label={LABELS.support_email}
        description="Where customers write to"
        type="email"
        autoComplete="off"
        {...form.getInputProps('support_email')}
      />
      <TextInput
        label={LABELS.support_url}
        description="An https address. Customers see its host"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('support_url')}
      />
      <NativeSelect label={LABELS.language} data={CHOICES} {...form.getInputProps('language')} />
      {partnerRef !== undefined && (
        <Checkbox label={LABELS.locked} {...form.getInputProps('locked', { type: 'checkbox' })} />
      )}
      {!isEmpty(present) && <RemoveBrand present={present} {...(partnerRef === undefined ? {} : { partnerRef })} />}
    </SettingsForm>
  );
}

function RemoveBrand({ present, partnerRef }: BrandFormProps) {
  const restore = useChange(changeBrand(partnerRef));
  const remove = useChange(removeBrand(partnerRef), {
    onDone: () => offerUndo('The brand is removed.', () => restore.mutateAsync({ body: present })),
  });
  return (
    <Group>
      <Button variant="default" size="xs" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
        Remove the brand
      </Button>
    </Group>
  );
}

function valuesOf({ name, logo, colour, support_email, support_url, language, locked }: Brand) {
  return {
    name: name ?? '',
    logo: dataUrlOf(logo),
    colour: colour ?? '',
    support_email: support_email ?? '',
    support_url: support_url ?? '',
    language: language ?? '',
    locked,
  };
}

function bodyOf(values: ReturnType<typeof valuesOf>, isOwn: boolean): Bodies['BrandBody'] {
  const { name, logo, colour, support_email, support_url, language, locked } = values;
  return {
    name: name.trim() || null,
    logo: logoOf(logo),
    colour: colour.trim() || null,
    support_email: support_email.trim() || null,
    support_url: support_url.trim() || null,
    language: language === '' ? null : (language as Language),
    ...(isOwn ? {} : { locked }),
  };
}

/** What others have set; a logo is too large to be shown as text. */
function shownText(field: keyof typeof LABELS, value: unknown): string | undefined {
  if (field === 'logo' && value !== null && value !== '') return 'another one';
  return field === 'language' ? CHOICES.find((choice) => choice.value === value)?.label : undefined;
}

function isEmpty({ locked, name, logo, colour, support_email, support_url, language }: Brand): boolean {
  return !locked && [name, logo, colour, support_email, support_url, language].every((value) => value === null);
}
