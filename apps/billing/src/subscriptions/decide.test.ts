import fc from '../../../../scripts/fast-check.mjs';
import { type BilledDomain, type Decision, decide, type OtherStored } from './decide.js';
import { hasEnded, type Subscription } from './subscription.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const DAY_MS = 86_400_000;
const PLANS = ['starter', 'business', 'enterprise'];
const STATUSES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'a_new_one',
];

const subscriptions: fc.Arbitrary<Subscription> = fc.record({
  id: fc.constantFrom('sub_1', 'sub_2'),
  status: fc.constantFrom(...STATUSES),
  customer: fc.constant('cus_1'),
  created: fc.nat(),
  partnerRef: fc.constantFrom('acme', 'rival', null),
  domainText: fc.constantFrom('acme.example', null),
  pricePlans: fc.constantFrom([], ['starter'], ['business'], ['gold'], ['starter', 'business']),
  lookupKeys: fc.constantFrom([], ['enterprise'], ['other']),
  latestInvoiceAt: fc.constantFrom(null, NOW.getTime() / 1_000, NOW.getTime() / 1_000 - 7 * 86_400),
});
const domains: fc.Arbitrary<BilledDomain> = fc.record({
  name: fc.constant('acme.example'),
  partnerRef: fc.constantFrom('acme', null),
  plan: fc.constantFrom(null, ...PLANS),
  billingRef: fc.constantFrom(null, 'sub_1', 'sub_2'),
  isSuspendedByBilling: fc.boolean(),
});
const others = fc.constantFrom<OtherStored>('none', 'ended', 'living', 'unknown');

function decided(subscription: Subscription, domain: BilledDomain | null, other: OtherStored): Decision {
  const hasOther = domain !== null && domain.billingRef !== null && domain.billingRef !== subscription.id;
  const otherStored = hasOther && !hasEnded(subscription) ? (other === 'none' ? 'living' : other) : 'none';
  return decide({ subscription, domain, otherStored, plans: PLANS, now: NOW, graceMs: 7 * DAY_MS });
}

describe('the decision about a subscription', () => {
  it('changes nothing without the right partner and domain, whatever its state', () => {
    fc.assert(
      fc.property(subscriptions, fc.option(domains), others, (subscription, domain, other) => {
        const isRight =
          domain !== null && subscription.domainText !== null && domain.partnerRef === subscription.partnerRef;
        return isRight || decided(subscription, domain, other).changes.length === 0;
      }),
    );
  });

  it('suspends only for the stored subscription, or together with storing it', () => {
    fc.assert(
      fc.property(subscriptions, domains, others, (subscription, domain, other) => {
        const kinds = decided(subscription, domain, other).changes.map(({ kind }) => kind);
        return !kinds.includes('suspend') || domain.billingRef === subscription.id || kinds[0] === 'plan';
      }),
    );
  });

  it('tells of a subscription that names a domain of another partner, also of one that has ended, and changes nothing', () => {
    fc.assert(
      fc.property(subscriptions, domains, others, (subscription, domain, other) => {
        fc.pre(subscription.status !== 'incomplete');
        const foreign = { ...subscription, partnerRef: 'acme', domainText: domain.name };
        const { changes, alarms } = decided(foreign, { ...domain, partnerRef: 'rival' }, other);
        expect([changes, alarms.map(({ kind }) => kind)]).toEqual([[], ['partner_differs']]);
      }),
    );
  });

  it('never takes a domain from a living subscription, and never stores one that has ended', () => {
    fc.assert(
      fc.property(subscriptions, domains, others, (subscription, domain, other) => {
        const plan = decided(subscription, domain, other).changes.find(({ kind }) => kind === 'plan');
        if (plan === undefined || domain.billingRef === subscription.id) return true;
        return !hasEnded(subscription) && (domain.billingRef === null || other === 'ended');
      }),
    );
  });

  it('is empty for the domain that its own changes made', () => {
    fc.assert(
      fc.property(subscriptions, domains, others, (subscription, domain, other) => {
        const next = { ...domain };
        for (const change of decided(subscription, domain, other).changes) {
          if (change.kind === 'plan') Object.assign(next, { plan: change.plan, billingRef: subscription.id });
          else next.isSuspendedByBilling = change.kind === 'suspend';
        }
        expect(decided(subscription, next, other).changes).toEqual([]);
      }),
    );
  });

  it('suspends a subscription that is past due when its latest invoice is exactly as old as the grace, not a second before', () => {
    const subscription: Subscription = {
      id: 'sub_1',
      status: 'past_due',
      customer: 'cus_1',
      created: 0,
      partnerRef: 'acme',
      domainText: 'acme.example',
      pricePlans: ['starter'],
      lookupKeys: [],
      latestInvoiceAt: NOW.getTime() / 1_000 - 7 * 86_400,
    };
    const domain: BilledDomain = {
      name: 'acme.example',
      partnerRef: 'acme',
      plan: 'starter',
      billingRef: 'sub_1',
      isSuspendedByBilling: false,
    };
    expect(decided(subscription, domain, 'none').changes).toEqual([{ kind: 'suspend', status: 'past_due' }]);
    const younger = { ...subscription, latestInvoiceAt: NOW.getTime() / 1_000 - 7 * 86_400 + 1 };
    expect(decided(younger, domain, 'none').changes).toEqual([]);
  });
});
