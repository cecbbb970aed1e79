import type { Message, MessageFilters } from '../../api/shapes.js';
import { textOf } from '../search-text.js';

/** In rising order. */
export const MESSAGE_STATES = [
  'accepted',
  'deferred',
  'refused',
  'stored',
  'forwarded',
  'relayed',
  'delivered',
  'bounced',
  'complained',
] as const satisfies Message['state'][];

/** What messages are looked for, as in the address. */
export interface MessagesSearch {
  /** A recipient, or a Message-ID with its brackets. */
  about?: string | undefined;
  mailbox?: string | undefined;
  state?: Message['state'] | undefined;
}

export function messagesSearch(search: Record<string, unknown>): MessagesSearch {
  const state = MESSAGE_STATES.find((each) => each === search.state);
  return { about: textOf(search.about), mailbox: textOf(search.mailbox), state };
}

/** @returns the filters of the API; a text with both brackets of a Message-ID is one */
export function messageFilters({ about, mailbox, state }: MessagesSearch): MessageFilters {
  const isId = about !== undefined && /^<.*>$/.test(about);
  return {
    ...(about === undefined ? {} : isId ? { message_id: about } : { recipient: about }),
    ...(mailbox === undefined ? {} : { mailbox }),
    ...(state === undefined ? {} : { state }),
  };
}
