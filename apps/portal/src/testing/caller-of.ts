import type { Caller } from '../api/shapes.js';

/** A key of a whole partner, but for what is given. */
export function callerOf(values: Partial<Caller> = {}): Caller {
  return {
    kind: 'client',
    name: null,
    scope: 'manage',
    partner_ref: 'acme',
    partner_stage: null,
    key_id: 1,
    link: null,
    domains: null,
    brand: null,
    limits: null,
    partners: null,
    domains_used: 1,
    mailboxes: 1,
    aliases: 1,
    sent_today: 0,
    sent_this_month: 0,
    may: [],
    ...values,
  };
}
