import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';
import { pagedByName } from './paged-list.js';
import type { Message, MessageFilters, MessageWithSteps } from './shapes.js';

/** A report of the mail servers makes no event. */
const POLL_MS = 10_000;

/** What became of messages, newest first. */
export function messagesQuery(filters: MessageFilters) {
  return pagedByName<Message>(keys.messageList(filters), ({ limit, after }) =>
    api.GET('/messages', { params: { query: { ...filters, limit, ...(after === undefined ? {} : { after }) } } }),
  );
}

const FAILED = ['refused', 'bounced'] as const;
const FAILED_SHOWN = 3;
const FAILED_WITHIN_MS = 24 * 60 * 60 * 1_000;

/** The newest messages of a domain, or of one mailbox, that were sent in the last day and did not arrive. */
export function failedMessagesQuery(domain: string, mailbox: string | undefined) {
  return queryOptions({
    queryKey: keys.failedMessages(domain, mailbox),
    queryFn: async (): Promise<Message[]> => {
      const since = new Date(Date.now() - FAILED_WITHIN_MS).toISOString();
      const filters = {
        domain,
        direction: 'out',
        since,
        limit: FAILED_SHOWN,
        ...(mailbox ? { mailbox } : {}),
      } as const;
      const lists = await Promise.all(
        FAILED.map(
          async (state) => (await api.GET('/messages', { params: { query: { ...filters, state } } })).data ?? [],
        ),
      );
      // Ids sort by time.
      return lists
        .flat()
        .toSorted((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, FAILED_SHOWN);
    },
  });
}

/** One message with its steps. */
export function messageQuery(id: string) {
  return queryOptions({
    queryKey: keys.message(id),
    queryFn: async () =>
      (await api.GET('/messages/{message}', { params: { path: { message: id } } })).data as MessageWithSteps,
    refetchInterval: POLL_MS,
  });
}
