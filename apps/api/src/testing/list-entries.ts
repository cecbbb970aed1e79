import { templateOf } from '../http/openapi/document.js';
import type { TestApi } from './api-fixture.js';

/** How the test of the costs calls a list of the API. */
export interface ListEntry {
  /** A value for each filter, which many rows meet. */
  filters: Record<string, string>;
  /** `after` of a page at a part of the list: 0 is its beginning, 1 its end. @param domains the number of domains */
  after: (domains: number, part: number) => number;
  /** Other values of filters, of which few or many rows are found in other ways. */
  also?: Record<string, string>[];
  /** Who may read it; both when absent. */
  only?: 'client' | 'operator';
}

const perDomain = (domains: number, part: number) => Math.round(domains * part);
/** Each domain has a row, and the first one has as many again. */
const perDomainAndFirst = (domains: number, part: number) => perDomain(2 * domains, part);

/** Every list with pages, by its path. */
export const PAGED_LISTS: Record<string, ListEntry> = {
  '/domains/': {
    filters: {
      partner_ref: 'p2',
      view: 'full',
      q: 'exam',
      total: 'true',
      status: 'suspended',
      state: 'no,waits',
      verification_status: 'verified',
      outbound_status: 'blocked',
      inbound: 'pending',
      plan: 'starter',
      parent: 'd1.example',
      external_ref: 'ref',
      attention: 'true',
      attention_reason: 'unverified',
    },
    // By the reference of the domain, by that of few partners and of many ones, and by nothing.
    also: [{ q: 'ref' }, { q: 'p2' }, { q: 'p' }, { q: 'absent' }],
    after: perDomain,
  },
  '/users/': {
    filters: { partner_ref: 'p2', domain: 'd1.example', q: 'm', total: 'true', active: 'false', external_ref: 'ref' },
    also: [{ q: 're' }, { q: 'absent' }],
    after: perDomainAndFirst,
  },
  '/aliases/': {
    filters: {
      partner_ref: 'p2',
      domain: 'd1.example',
      q: 'a',
      total: 'true',
      destination: 'all@elsewhere.example',
      address: 'a7@d7.example',
    },
    after: perDomainAndFirst,
  },
  '/deleted/': { filters: { partner_ref: 'p2', domain: 'd1.example' }, after: perDomain },
  '/api-keys/': {
    filters: { partner_ref: 'p2', q: 'p', total: 'true' },
    also: [{ q: 'p777' }, { q: 'absent' }],
    after: perDomain,
    only: 'operator',
  },
  '/me/keys': { filters: {}, after: perDomain, only: 'client' },
  '/portal-links': { filters: { partner_ref: 'p2' }, after: perDomain },
  '/audit': {
    filters: {
      partner_ref: 'p2',
      domain: 'd1.example',
      actor: 'key:1',
      action: 'domain.update',
      subject: 's',
      since: '2026-03-15T00:00:00.000Z',
      until: '2026-03-16T00:00:00.000Z',
    },
    after: perDomain,
    only: 'operator',
  },
  '/events': {
    filters: { partner_ref: 'p2', domain: 'd1.example', types: 'domain.updated' },
    after: perDomain,
  },
  // Sorted by what they sent, so a page costs as much as all senders of the domain, whatever the number of domains.
  '/domains/{domain_name}/outbound/senders': { filters: {}, after: (_, part) => Math.round(500 * part) },
  '/domains/{domain_name}/outbound/history': { filters: { deleted: 'true' }, after: perDomain, only: 'operator' },
  '/suppressions/': {
    filters: { partner_ref: 'p2', domain: 'd1.example', q: 's', reason: 'bounce', total: 'true' },
    also: [{ q: 'absent' }],
    after: perDomain,
  },
  '/domains/{domain_name}/bounces': { filters: {}, after: perDomain },
};

/** Lists whose pages are not compared: they have none, or read more with more domains, which has to be corrected. */
export const OTHER_LISTS: Record<string, string> = {
  '/domains/{domain_name}/outbound/days': '30 days of one domain',
  '/outbound/days': 'NOT BOUNDED YET: it adds up all domains of a partner',
  '/partners/':
    'NOT BOUNDED YET: it adds up the counts of all domains of each partner, in an index; what finds them is bounded (`partner-costs.slow.test.ts`)',
  '/plans': 'three plans',
  '/outbound/tiers': 'three tiers',
  '/me/attention': 'one row for each reason, which counts at most 20,000 rows of its index',
  '/sessions': 'the sessions of one caller',
  '/jobs': 'the jobs of the service',
  '/messages': 'by day and index, whatever the number of domains; its ids are no numbers',
  '/usage': 'complete, in chunks of few names',
  '/webhook-endpoints': 'five of a partner',
  '/webhook-endpoints/{endpoint_id}/attempts': 'the newest 1,000 of one endpoint',
  '/partners/{partner_ref}/usage': 'complete, in chunks of few names',
};

/** @returns the paths of the lists in the OpenAPI document, with the names of their parameters in the query */
export function listsOf({ document, routes }: TestApi): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const route of routes.filter(({ method }) => method === 'get')) {
    const { parameters, responses } = document.operation(route);
    if (responses['200']?.content?.['application/json']?.schema.type !== 'array') continue;
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    lists.set(templateOf(route), names);
  }
  return lists;
}
