import { Select, Textarea, TextInput } from '@mantine/core';
import type { FormFields } from '../../parts/form-problems.js';
import { namesIn } from '../domains/domain-names.js';
import { dayOf, endOfDay } from './days.js';

/** The fields that a key has whoever created it, as in the form. */
export interface KeyValues extends Record<string, unknown> {
  name: string;
  scope: 'manage' | 'read';
  /** A name on each line. */
  domains: string;
  /** A day, in the reader's zone. */
  expires_at: string;
}

const SCOPES = [
  { value: 'manage', label: 'Read and change' },
  { value: 'read', label: 'Read only' },
];

export function scopeText(scope: unknown): string | undefined {
  return SCOPES.find(({ value }) => value === scope)?.label;
}

export const NEW_KEY: KeyValues = { name: '', scope: 'manage', domains: '', expires_at: '' };

export function KeyFields({ form }: { form: FormFields<'name' | 'scope' | 'domains' | 'expires_at'> }) {
  return (
    <>
      <TextInput
        data-autofocus
        label="Name"
        description="Of the program or the person that gets it"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Select label="The key may" data={SCOPES} allowDeselect={false} {...form.getInputProps('scope')} />
      <Textarea
        label="Only these domains"
        description="A name on each line. Empty: all domains of the partner, also later ones."
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('domains')}
      />
      <TextInput
        type="date"
        label="Valid until the end of"
        description="Empty: it does not expire"
        {...form.getInputProps('expires_at')}
      />
    </>
  );
}

/** Returns the fields as the API takes them. */
export function keyBodyOf({ name, scope, domains, expires_at }: KeyValues) {
  const names = namesIn(domains);
  return {
    name: name.trim() === '' ? null : name.trim(),
    scope,
    domains: names.length === 0 ? null : names,
    expires_at: expires_at === '' ? null : endOfDay(expires_at),
  };
}

export function keyValuesOf(key: {
  name: string | null;
  scope: 'manage' | 'read';
  domains: string[] | null;
  expires_at: string | null;
}): KeyValues {
  return {
    name: key.name ?? '',
    scope: key.scope,
    domains: (key.domains ?? []).join('\n'),
    expires_at: key.expires_at === null ? '' : dayOf(key.expires_at),
  };
}
