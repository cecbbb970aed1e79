import { type PartnerFacts, partnerState } from './partner-state.js';

const FACTS: PartnerFacts = { stage: null, isRelayPaused: false, domainCount: 0, domainsAllowed: 0 };

test.each<[string, Partial<PartnerFacts>]>([
  ['active', {}],
  ['active', { domainCount: 1_000_000 }],
  ['active', { domainCount: 7, domainsAllowed: 10 }],
  ['near_limit', { domainCount: 8, domainsAllowed: 10 }],
  ['near_limit', { domainCount: 9, domainsAllowed: 10 }],
  ['at_limit', { domainCount: 10, domainsAllowed: 10 }],
  ['at_limit', { domainCount: 11, domainsAllowed: 10 }],
  ['at_limit', { domainCount: 1, domainsAllowed: 1 }],
  ['active', { domainCount: 0, domainsAllowed: 1 }],
  ['relay_paused', { isRelayPaused: true, domainCount: 1, domainsAllowed: 1 }],
  ['changes_stopped', { stage: 'changes', isRelayPaused: true }],
  ['suspended', { stage: 'all', isRelayPaused: true, domainCount: 1, domainsAllowed: 1 }],
])('a partner is %s, and in no other state: %j', (state, facts) => {
  expect(partnerState({ ...FACTS, ...facts })).toBe(state);
});
