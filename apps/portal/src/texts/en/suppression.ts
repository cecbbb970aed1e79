import type { Suppression } from '../../api/shapes.js';

/** The addresses to which is not sent. */
export const suppression = {
  title: 'Suppressed addresses',
  what: 'Addresses that do not work, or do not want mail. They come here by themselves when mail to them comes back or is reported as spam, and can be added by hand.',
  search: 'Search by the beginning of the address',
  anyReason: 'For any reason',
  showAny: 'Show all reasons',
  one: 'address',
  many: 'addresses',
  address: 'Address',
  domain: 'Not sent to by',
  reason: 'Why',
  since: 'Since',
  until: 'Until',
  change: 'Change',
  all: 'all domains',
  forGood: 'lifted by hand',
  none: 'No address is suppressed',
  noneWhat: 'Mail is sent to every address.',
  addFirst: 'Add the first addresses',
  noMatch: 'No address matches',
  add: 'Add addresses',
  addTitle: 'Do not send to these addresses',
  addresses: 'Addresses',
  oneALine: 'One a line, at most {most, number}',
  note: 'Note',
  noteWhat: 'For yourself (optional)',
  added: '{count, plural, one {# address is} other {# addresses are}} suppressed now.',
  lift: 'Lift',
  liftOf: 'Lift {address}',
  lifted: '{address} is sent to again.',
  notHere: 'A complaint is not lifted here.',
  byOperator: 'The operator alone lifts a complaint.',
  lifting: 'It is being lifted.',
  notLifted: 'It could not be lifted: lift it again.',
} as const;

export const suppressed = {
  bounce: 'It does not exist',
  complaint: 'It reported mail as spam',
  manual: 'Added by hand',
} as const satisfies Record<Suppression['reason'], string>;
