import { Textarea, TextInput } from '@mantine/core';
import type { Bodies, Webhook } from '../../api/shapes.js';
import type { FormFields } from '../../parts/form-problems.js';
import { typesIn } from './webhook-words.js';

/** The fields of an endpoint, as in the form. */
export interface WebhookValues extends Record<string, unknown> {
  url: string;
  /** A type on each line. */
  types: string;
  description: string;
}

export const NEW_WEBHOOK: WebhookValues = { url: '', types: '', description: '' };

export function WebhookFields({ form }: { form: FormFields<'url' | 'types' | 'description'> }) {
  return (
    <>
      <TextInput
        label="URL"
        description="Where events are posted: https, port 443, a public address"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <Textarea
        label="Types of events"
        description="One on each line, such as domain.created, or domain.* for all about domains. Empty: all"
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('types')}
      />
      <TextInput
        label="Description"
        description="A note for yourself"
        autoComplete="off"
        {...form.getInputProps('description')}
      />
    </>
  );
}

/** Returns the fields as the API takes them. */
export function webhookBodyOf({ url, types, description }: WebhookValues): Bodies['CreateWebhookBody'] {
  return { url: url.trim(), types: typesIn(types), description: description.trim() || null };
}

export function webhookValuesOf({ url, types, description }: Webhook): WebhookValues {
  return { url, types: (types ?? []).join('\n'), description: description ?? '' };
}
