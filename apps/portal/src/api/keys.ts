import type {
  AuditFilters,
  DomainFilters,
  EventFilters,
  MessageFilters,
  PartnerFilters,
  SuppressionFilters,
} from './shapes.js';

/** The key of a query. Only this file makes keys: another array is none for the compiler. */
export type Key = readonly unknown[] & { readonly __brand: 'Key' };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: Key;
  }
}

const key = (...words: unknown[]) => words as readonly unknown[] as Key;
/** People write a name in any case; the names in events are in lower case. */
const ofDomain = (name: string, ...words: unknown[]) => key('domain', name.toLowerCase(), ...words);

/** All keys. A key that begins with another is below it: what makes the upper one old makes the lower one old too. */
export const keys = {
  session: key('session'),
  codePreview: (code: string) => key('code', code),
  sessions: key('sessions'),
  me: key('me'),
  mailSettings: key('mail-settings'),
  found: (q: string) => key('found', q),
  health: key('health'),
  jobs: key('jobs'),
  relay: key('relay'),
  plans: key('plans'),
  tiers: key('tiers'),

  domains: key('domains'),
  domainList: (filters: DomainFilters) => key('domains', 'list', filters),
  anyDomain: (partnerRef: string | undefined) => key('domains', 'any', partnerRef),
  attention: (partnerRef: string | undefined) => key('domains', 'attention', partnerRef),
  everyFirstSteps: key('domains', 'first-steps'),
  firstSteps: (partnerRef: string | undefined) => key('domains', 'first-steps', partnerRef),
  everyDomain: key('domain'),
  domain: (name: string) => ofDomain(name),
  domainDetails: (name: string) => ofDomain(name, 'details'),
  relayStatus: (name: string) => ofDomain(name, 'relay-status'),
  dnsCheck: (name: string) => ofDomain(name, 'dns-check'),
  mailboxes: (domain: string) => ofDomain(domain, 'mailboxes'),
  mailboxList: (domain: string, q: string) => ofDomain(domain, 'mailboxes', q),
  mailbox: (domain: string, email: string) => ofDomain(domain, 'mailbox', email),
  aliasList: (domain: string, q: string) => ofDomain(domain, 'aliases', q),
  aliasesTo: (domain: string, destination: string) => ofDomain(domain, 'aliases-to', destination),
  outbound: (domain: string) => ofDomain(domain, 'outbound'),
  outboundDays: (domain: string) => ofDomain(domain, 'outbound-days'),
  senders: (domain: string) => ofDomain(domain, 'senders'),
  bounces: (domain: string) => ofDomain(domain, 'bounces'),

  allOutboundDays: key('outbound-days'),
  partnerOutboundDays: (partnerRef: string | undefined) => key('outbound-days', partnerRef),
  usage: (month: string, partnerRef: string | undefined) => key('usage', month, partnerRef),
  deleted: key('deleted'),
  deletedList: (partnerRef: string | undefined) => key('deleted', partnerRef),
  apiKeys: key('api-keys'),
  ownApiKeys: key('api-keys', 'own'),
  apiKeyList: (partnerRef: string | undefined, q: string) => key('api-keys', 'list', partnerRef, q),
  links: key('links'),
  linkList: (partnerRef: string | undefined) => key('links', partnerRef),
  webhooks: key('webhooks'),
  webhookList: (partnerRef: string | undefined) => key('webhooks', 'list', partnerRef),
  webhook: (id: number) => key('webhooks', 'one', id),
  webhookAttempts: (id: number) => key('webhooks', 'attempts', id),
  messages: key('messages'),
  messageList: (filters: MessageFilters) => key('messages', 'list', filters),
  failedMessages: (domain: string, mailbox: string | undefined) => key('messages', 'failed', domain, mailbox),
  message: (id: string) => key('messages', 'one', id),
  suppressions: key('suppressions'),
  suppressionList: (filters: SuppressionFilters) => key('suppressions', 'list', filters),
  suppressionMode: (partnerRef: string | undefined) => key('suppressions', 'mode', partnerRef),
  brands: key('brand'),
  brand: (partnerRef: string | undefined) => key('brand', partnerRef),
  partners: key('partners'),
  partnerList: (filters: PartnerFilters) => key('partners', 'list', filters),
  partner: (ref: string) => key('partners', 'one', ref),
  partnerRelay: (ref: string) => key('partners', ref, 'relay'),
  events: key('events'),
  eventList: (filters: EventFilters, rows: number | undefined) => key('events', filters, rows),
  auditList: (filters: AuditFilters) => key('audit', filters),
};
