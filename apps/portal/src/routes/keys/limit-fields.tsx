import { NumberInput } from '@mantine/core';
import type { FormFields } from '../../parts/form-problems.js';

type Limit = 'domains_allowed' | 'mailboxes_per_domain' | 'aliases_per_mailbox';

/** The limits of a partner, which the operator sets with its keys. */
export type LimitValues = Record<Limit, number | string>;

export function LimitFields({ form }: { form: FormFields<Limit> }) {
  const field = (name: Limit, label: string, description?: string) => (
    <NumberInput
      label={label}
      {...(description === undefined ? {} : { description })}
      min={0}
      allowDecimal={false}
      {...form.getInputProps(name)}
    />
  );
  return (
    <>
      {field('domains_allowed', 'Domains', '0 is unlimited, here and below')}
      {field('mailboxes_per_domain', 'Mailboxes of each domain')}
      {field('aliases_per_mailbox', 'Aliases to each mailbox')}
    </>
  );
}

/** An empty field is not a limit of zero: the API names the field. */
export function limitsOf({ domains_allowed, mailboxes_per_domain, aliases_per_mailbox }: LimitValues) {
  return {
    domains_allowed: domains_allowed as number,
    mailboxes_per_domain: mailboxes_per_domain as number,
    aliases_per_mailbox: aliases_per_mailbox as number,
  };
}
