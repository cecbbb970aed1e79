import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import { restoreLatest } from './deleted.js';
import type { Mailbox, MailboxDetails, MailSettings } from './shapes.js';

/** The mailboxes of a domain, newest first, a page at a time. */
export function mailboxesQuery(domain: string, q: string) {
  return pagedQuery<Mailbox>(['domain', domain, 'mailboxes', q], (page) =>
    api.GET('/users/', { params: { query: { domain, ...(q === '' ? {} : { q }), ...page, order: 'desc' } } }),
  );
}

/** Below the domain's key, so that every event of the domain has the mailbox read again. */
export function mailboxKey(email: string) {
  return ['domain', email.slice(email.lastIndexOf('@') + 1), 'mailbox', email];
}

/** A mailbox with what is used of its storage. */
export function mailboxQuery(email: string) {
  return queryOptions({
    queryKey: mailboxKey(email),
    queryFn: async () => (await api.GET('/users/{email}', { params: { path: { email } } })).data as MailboxDetails,
  });
}

/** The servers that a mail program needs. They are settings of the service and do not change while it runs. */
export const mailSettingsQuery = queryOptions({
  queryKey: ['mail-settings'],
  queryFn: async () => (await api.GET('/mail-settings')).data as MailSettings,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Deletes a mailbox. @returns a function that takes it back. */
export async function deleteMailbox({
  email,
  domain,
}: {
  email: string;
  domain: string;
}): Promise<() => Promise<void>> {
  await api.DELETE('/users/{email}', { params: { path: { email } } });
  return () => restoreLatest('mailbox', email, domain);
}
