import { queryOptions } from '@tanstack/react-query';
import { type BasedOn, ifMatch } from './based-on.js';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { COUNTED, pagedQuery } from './paged-list.js';
import type { Bodies, Mailbox, MailboxDetails } from './shapes.js';

/** The mailboxes of a domain, newest first, a page at a time. */
export function mailboxesQuery(domain: string, q: string) {
  return pagedQuery<Mailbox>(
    keys.mailboxList(domain, q),
    (page) => api.GET('/users/', { params: { query: { domain, ...(q === '' ? {} : { q }), ...page, order: 'desc' } } }),
    COUNTED,
  );
}

/** A mailbox with what is used of its storage. */
export function mailboxQuery(domain: string, email: string) {
  return queryOptions({
    queryKey: keys.mailbox(domain, email),
    queryFn: async () => (await api.GET('/users/{email}', { params: { path: { email } } })).data as MailboxDetails,
  });
}

/** Its result is the address as the service writes it. */
export const addMailbox = (domain: string) =>
  change({
    run: async (body: Bodies['CreateMailboxBody']) => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      return (await api.POST('/users/', { body, headers })).data?.email ?? body.email;
    },
    touches: [keys.domain(domain), keys.me],
  });

export const changeMailbox = (domain: string, email: string) =>
  change({
    run: async ({ body, revision }: BasedOn<Bodies['UpdateMailboxBody']>) => {
      await api.PUT('/users/{email}', { params: { path: { email } }, body, headers: ifMatch(revision) });
    },
    preview: ({ body: { active } }) => [
      {
        queryKey: keys.mailbox(domain, email),
        show: (now: MailboxDetails) => ({ ...now, active: active ?? now.active }),
      },
    ],
    touches: [keys.mailbox(domain, email), keys.mailboxes(domain)],
  });

export const deleteMailbox = (domain: string, email: string) =>
  change({
    run: async () => {
      await api.DELETE('/users/{email}', { params: { path: { email } } });
    },
    touches: [keys.domain(domain), keys.me, keys.deleted],
    removes: [keys.mailbox(domain, email)],
  });
