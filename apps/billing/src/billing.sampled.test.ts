import type { ApiInProcess } from '@mailstead/api/testing/api-in-process';
import { sampled } from '@mailstead/core/testing/sampled';
import { BillingWorld, PARTNER } from './testing/billing-world.js';
import { signatureOf } from './testing/stripe-double.js';

let world: BillingWorld<ApiInProcess>;

beforeAll(async () => {
  world = await BillingWorld.startWithApiInProcess();
  await world.startQuietBilling();
});
afterAll(() => world.stop());

describe('an event about a subscription', () => {
  it('sets the plan, stores the first subscription, and follows its state: trial, past due, unpaid, paid, canceled', async () => {
    const domain = await world.addPaid({ id: 'sub_life', status: 'trialing', plan: 'business' });
    expect(await world.event('sub_life', 'customer.subscription.created')).toBe(200);
    const stored = { partner_ref: PARTNER, plan: 'business', billing_ref: 'sub_life', suspension_causes: [] };
    expect(await world.domain(domain)).toEqual(stored);

    world.stripe.put({ id: 'sub_life', status: 'past_due', invoiceDays: 6 });
    expect(await world.event('sub_life', 'invoice.payment_failed')).toBe(200);
    expect(await world.domain(domain)).toEqual(stored);
    world.stripe.put({ id: 'sub_life', invoiceDays: 8 });
    expect(await world.event('sub_life')).toBe(200);
    expect(await world.domain(domain)).toEqual({ ...stored, suspension_causes: ['billing'] });

    world.stripe.put({ id: 'sub_life', status: 'active', plan: 'enterprise' });
    expect(await world.event('sub_life', 'invoice.paid')).toBe(200);
    expect(await world.domain(domain)).toEqual({ ...stored, plan: 'enterprise' });
    for (const status of ['unpaid', 'paused', 'canceled'] as const) {
      world.stripe.put({ id: 'sub_life', status: 'active' });
      await world.event('sub_life');
      world.stripe.put({ id: 'sub_life', status });
      expect(await world.event('sub_life')).toBe(200);
      expect((await world.domain(domain)).suspension_causes).toEqual(['billing']);
    }
  });

  it('names the plan by lookup key when the price has no metadata', async () => {
    const domain = await world.addPaid({ id: 'sub_key', plan: null, lookupKey: 'enterprise' });
    expect(await world.event('sub_key')).toBe(200);
    expect(await world.domain(domain)).toMatchObject({ plan: 'enterprise', billing_ref: 'sub_key' });
  });

  it('lifts no cause but billing', async () => {
    const domain = await world.addPaid({ id: 'sub_abuse', status: 'unpaid' });
    const path = { params: { path: { domain_name: domain } } };
    await world.mailstead.PUT('/domains/{domain_name}/suspend', { ...path, body: { cause: 'abuse' } });
    await world.event('sub_abuse');
    expect((await world.domain(domain)).suspension_causes.toSorted()).toEqual(['abuse', 'billing']);
    world.stripe.put({ id: 'sub_abuse', status: 'active' });
    await world.event('sub_abuse');
    expect((await world.domain(domain)).suspension_causes).toEqual(['abuse']);
  });

  it('does nothing while the subscription is incomplete, and for an event of another kind', async () => {
    const domain = await world.addPaid({ id: 'sub_begun', status: 'incomplete' });
    const before = await world.domain(domain);
    expect(await world.event('sub_begun', 'customer.subscription.created')).toBe(200);
    expect(await world.event('sub_begun', 'charge.succeeded')).toBe(200);
    expect(await world.send(JSON.stringify({ id: 'evt', object: 'event', type: 'invoice.paid', data: {} }))).toBe(200);
    expect(await world.domain(domain)).toEqual(before);
  });

  it('is refused with a wrong signature, an old timestamp, no signature, or a body that was changed', async () => {
    const domain = await world.addPaid({ id: 'sub_forged' });
    const body = world.stripe.event('sub_forged');
    expect(await world.send(body, signatureOf(body, { secret: 'whsec_of_somebody_else' }))).toBe(400);
    expect(await world.send(body, signatureOf(body, { ageSeconds: 301 }))).toBe(400);
    expect(await world.send(body, '')).toBe(400);
    expect(await world.send(`${body} `, signatureOf(body))).toBe(400);
    expect((await world.domain(domain)).billing_ref).toBeNull();
    expect((await world.alarms()).map(({ kind }) => kind)).toContain('signature_wrong');
    expect(await world.send(body, signatureOf(body, { ageSeconds: 290 }))).toBe(200);
    expect((await world.alarms()).map(({ kind }) => kind)).not.toContain('signature_wrong');
  });

  it('is refused with 413 when its body is too large', async () => {
    expect(await world.send('x'.repeat(1_100_000))).toBe(413);
  });

  it('is an alarm and changes nothing: no metadata, another partner’s domain, no domain, an unknown plan or subscription', async () => {
    const foreign = await world.addDomain('rival');
    const nobodys = await world.addDomain(null);
    await world.addPaid({ id: 'sub_no_partner', partner: null });
    await world.addPaid({ id: 'sub_foreign', domain: foreign });
    await world.addPaid({ id: 'sub_nobodys', domain: nobodys });
    await world.addPaid({ id: 'sub_gone', domain: 'gone.example' });
    await world.addPaid({ id: 'sub_path', domain: '../api-keys' });
    const unplanned = await world.addPaid({ id: 'sub_gold', plan: 'gold' });
    const kinds = {
      sub_no_partner: 'metadata_missing',
      sub_foreign: 'partner_differs',
      sub_nobodys: 'partner_differs',
      sub_gone: 'domain_missing',
      sub_path: 'domain_missing',
      sub_gold: 'plan_unknown',
      sub_never: 'subscription_unknown',
    };
    const before = await Promise.all([foreign, nobodys, unplanned].map((name) => world.domain(name)));
    for (const [id, kind] of Object.entries(kinds)) {
      expect(await world.event(id)).toBe(200);
      expect(await world.alarmOf(id)).toBe(kind);
      expect(await world.metric(`mailstead_billing_alarms{kind="${kind}"}`)).toBeGreaterThan(0);
    }
    for (const status of ['unpaid', 'canceled'] as const) {
      world.stripe.put({ id: 'sub_foreign', status });
      expect(await world.event('sub_foreign')).toBe(200);
    }
    expect(await Promise.all([foreign, nobodys, unplanned].map((name) => world.domain(name)))).toEqual(before);

    world.stripe.put({ id: 'sub_gold', plan: 'starter' });
    expect(await world.event('sub_gold')).toBe(200);
    expect(await world.alarmOf('sub_gold')).toBeUndefined();
  });

  it('of a second subscription is an alarm until the stored one has ended; its end does not suspend the domain', async () => {
    const domain = await world.addPaid({ id: 'sub_one', customer: 'cus_shared' });
    await world.event('sub_one');
    world.stripe.put({ id: 'sub_two', customer: 'cus_shared', partner: PARTNER, domain, plan: 'business' });
    expect(await world.event('sub_two')).toBe(200);
    expect(await world.alarmOf('sub_two')).toBe('second_subscription');
    expect(await world.domain(domain)).toMatchObject({ plan: 'starter', billing_ref: 'sub_one' });
    world.stripe.put({ id: 'sub_one', status: 'canceled' });
    expect(await world.event('sub_one', 'customer.subscription.deleted')).toBe(200);
    const taken = { plan: 'business', billing_ref: 'sub_two', suspension_causes: [] };
    expect(await world.domain(domain)).toMatchObject(taken);
    // A late repeat of the event of the ended one.
    expect(await world.event('sub_one', 'customer.subscription.deleted')).toBe(200);
    expect(await world.domain(domain)).toMatchObject(taken);
  });

  it('comes twice at once and with others at once: one state, one plan, one stored subscription', async () => {
    const domain = await world.addPaid({ id: 'sub_race', plan: 'enterprise' });
    const stale = world.stripe.event('sub_race');
    const events = Array.from({ length: 12 }, () => world.stripe.event('sub_race'));
    expect(new Set(await Promise.all(events.map((body) => world.send(body))))).toEqual(new Set([200]));
    const puts = world.front.requests.filter((each) => each === `PUT /domains/${domain}/plan`);
    expect(puts).toHaveLength(1);
    world.stripe.put({ id: 'sub_race', status: 'unpaid' });
    await Promise.all([world.send(stale), world.event('sub_race'), world.event('sub_race')]);
    expect((await world.domain(domain)).suspension_causes).toEqual(['billing']);
  });

  it('is answered 503 while Stripe or the API is away, and done when it is sent again', async () => {
    const domain = await world.addPaid({ id: 'sub_away' });
    for (const trouble of ['down', 500, 401, 403] as const) {
      world.stripe.trouble = trouble;
      expect(await world.event('sub_away')).toBe(503);
      expect((await world.alarms()).map(({ kind }) => kind)).toContain('stripe_unavailable');
    }
    world.stripe.trouble = 'none';
    world.front.isDown = true;
    expect(await world.event('sub_away')).toBe(503);
    expect((await world.alarms()).map(({ kind }) => kind)).toContain('mailstead_unavailable');
    world.front.isDown = false;
    expect((await world.domain(domain)).billing_ref).toBeNull();
    expect(await world.event('sub_away')).toBe(200);
    expect((await world.domain(domain)).billing_ref).toBe('sub_away');
    expect((await world.alarms()).map(({ kind }) => kind)).not.toContain('mailstead_unavailable');
  });
});

describe('two subscriptions of one domain', () => {
  /** Each spells the name as people read it, or as Mailstead stores it. */
  const SPELLINGS: [string, (read: string, stored: string) => string][] = [
    ['in A-labels', (_, stored) => stored],
    ['in upper case', (read) => read.toUpperCase()],
    ['with a dot at the end', (read) => `${read}.`],
    ['in upper A-labels, with blanks and a dot', (_, stored) => ` ${stored.toUpperCase()}. `],
  ];
  let count = 0;
  let domain: string;
  let one: string;
  let two: string;

  /** A domain with two subscriptions of two customers, of which the second spells it otherwise. */
  const addTwo = async (spell: (read: string, stored: string) => string): Promise<void> => {
    count += 1;
    [one, two] = [`sub_first_${count}`, `sub_second_${count}`];
    const read = `bücher-${count}.example`;
    const { data } = await world.mailstead.POST('/domains/', { body: { name: read, partner_ref: PARTNER } });
    domain = data?.name ?? '';
    world.stripe.put({ id: one, partner: PARTNER, domain: read });
    world.stripe.put({ id: two, partner: PARTNER, domain: spell(read, domain), plan: 'business' });
  };
  const end = (...ids: string[]) => ids.forEach((id) => world.stripe.put({ id, status: 'canceled' }));
  const ended = (id: string) => world.event(id, 'customer.subscription.deleted');

  it.each(sampled(SPELLINGS, 2))('the second, written %s, takes over when the first ends', async (_, spell) => {
    await addTwo(spell);
    for (const id of [one, two]) expect(await world.event(id)).toBe(200);
    expect(await world.alarmOf(two)).toBe('second_subscription');
    end(one);
    expect(await ended(one)).toBe(200);
    expect(await world.domain(domain)).toMatchObject({ plan: 'business', billing_ref: two, suspension_causes: [] });
  });

  it('the second takes over when the first ends, although a third that came after it has ended', async () => {
    await addTwo((read) => `${read}.`);
    for (const id of [one, two]) await world.event(id);
    world.stripe.put({ id: 'sub_third', partner: PARTNER, domain });
    await world.event('sub_third');
    end('sub_third');
    await ended('sub_third');
    end(one);
    expect(await ended(one)).toBe(200);
    expect(await world.domain(domain)).toMatchObject({ billing_ref: two, suspension_causes: [] });
  });

  it.each(sampled(SPELLINGS, 2))(
    'the second, written %s, takes over although no event of it came',
    async (_, spell) => {
      await addTwo(spell);
      for (const id of [one, two]) world.stripe.put({ id, customer: `cus_both_${count}` });
      await world.event(one);
      end(one);
      expect(await ended(one)).toBe(200);
      expect(await world.domain(domain)).toMatchObject({ plan: 'business', billing_ref: two, suspension_causes: [] });
    },
  );

  const ENDS: [string, () => unknown[] | Promise<unknown[]>][] = [
    ['first and second', async () => [end(one), await ended(one), end(two), await ended(two)]],
    ['second and first', async () => [end(two), await ended(two), end(one), await ended(one)]],
    ['both, told of the first one first', async () => [end(one, two), await ended(one), await ended(two)]],
    ['both, told of the second one first', async () => [end(one, two), await ended(two), await ended(one)]],
    ['both, told twice and at once', () => [end(one, two), ...[one, two, one, two].map(ended)]],
    ['the second while the first is told', () => [end(one), ended(one), end(two), ended(two)]],
  ];
  const endings = ENDS.flatMap(([order, tell], turn) =>
    SPELLINGS.map(([spelling, spell], index) => ({ order, tell, spelling, spell, isFirst: turn % 4 === index })),
  );
  const others = endings.filter(({ isFirst }) => !isFirst);
  /** In a quick test each order with one spelling, all spellings among them, and some of the others. */
  const CHOSEN = [...endings.filter(({ isFirst }) => isFirst), ...sampled(others, 2)];

  it.each(CHOSEN)('that both end suspends it: $order, the second written $spelling', async ({ tell, spell }) => {
    await addTwo(spell);
    for (const id of [one, two]) await world.event(id);
    await Promise.all(await tell());
    expect((await world.domain(domain)).suspension_causes).toEqual(['billing']);
    // Otherwise the brake would hold after some of these.
    await world.resume();
  });

  it('the second takes over although the process began after the event of the second, and they have two customers', async () => {
    await addTwo((read) => read);
    for (const id of [one, two]) await world.event(id);
    await world.billing.end('SIGTERM');
    await world.startQuietBilling();
    const before = world.front.requests.length;
    end(one);
    expect(await ended(one)).toBe(200);
    expect(await world.domain(domain)).toMatchObject({ billing_ref: two, suspension_causes: [] });
    expect(await world.alarmOf(two)).toBeUndefined();
    const changes = world.front.requests.slice(before).filter((each) => each.startsWith(`PUT /domains/${domain}/`));
    expect(changes).toEqual([`PUT /domains/${domain}/plan`]);
  });

  it('the second takes over although the API went away in the middle of it', async () => {
    await addTwo((read) => read);
    for (const id of [one, two]) await world.event(id);
    end(one);
    const arrived = world.front.hold(/^PUT .*\/plan$/);
    const first = ended(one);
    const close = await arrived;
    world.front.isDown = true;
    close();
    expect(await first).toBe(503);
    world.front.isDown = false;
    expect(await ended(one)).toBe(200);
    expect(await world.domain(domain)).toMatchObject({ billing_ref: two, suspension_causes: [] });
  });

  it('a second whose price names no plan pays too: it does not take over, and nothing is suspended', async () => {
    await addTwo((read) => read);
    await world.event(one);
    world.stripe.put({ id: two, plan: 'gold' });
    await world.event(two);
    end(one);
    expect(await ended(one)).toBe(200);
    expect((await world.reconcile()).code).toBe(2);
    expect(await world.domain(domain)).toMatchObject({ plan: 'starter', billing_ref: one, suspension_causes: [] });
    expect(await world.alarmOf(two)).toBe('plan_unknown');
    end(two);
    await ended(two);
    await ended(one);
    expect((await world.domain(domain)).suspension_causes).toEqual(['billing']);
  });

  it('the older one takes over in a comparison after the newer, stored one has ended, without a suspension', async () => {
    await addTwo((read) => read);
    await world.event(two);
    end(two);
    const before = world.front.requests.length;
    expect((await world.reconcile()).output).toContain(`${domain}: set the plan starter and store ${one}`);
    const changes = world.front.requests.slice(before).filter((each) => each.startsWith(`PUT /domains/${domain}/`));
    expect(changes).toEqual([`PUT /domains/${domain}/plan`]);
  });

  it.each(sampled(SPELLINGS, 2))('that reach it at once: one is stored, the other an alarm (%s)', async (_, spell) => {
    await addTwo(spell);
    const before = world.front.requests.length;
    expect(await Promise.all([one, two].map((id) => world.event(id)))).toEqual([200, 200]);
    const { billing_ref: stored } = await world.domain(domain);
    expect([one, two]).toContain(stored);
    expect(await world.alarmOf(stored === one ? two : one)).toBe('second_subscription');
    const puts = world.front.requests.slice(before).filter((each) => each.startsWith('PUT '));
    expect(puts).toEqual([`PUT /domains/${domain}/plan`]);
  });
});

describe('the billing process', () => {
  it('sends Stripe nothing but GET, and the API no POST and no DELETE', () => {
    expect(world.stripe.requests.length).toBeGreaterThan(20);
    expect(world.stripe.requests.filter((each) => !each.startsWith('GET '))).toEqual([]);
    const changes = world.front.requests.filter((each) => !each.startsWith('GET '));
    expect(changes.length).toBeGreaterThan(10);
    expect(changes.filter((each) => !/^PUT \/domains\/[^/]+\/(plan|suspend|activate)$/.test(each))).toEqual([]);
  });

  it('shows neither metrics nor alarms on the port that Stripe reaches', async () => {
    const url = `http://127.0.0.1:${world.port}`;
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(`${url}/webhooks/stripe`)).status).toBe(405);
    const health = await (await fetch(`${url}/health`)).text();
    expect(await world.alarms()).not.toEqual([]);
    expect(health).toBe('{"status":"ok"}');
  });

  it('ends resume with 0 and a sentence', async () => {
    const { code, output } = await world.command(['resume']);
    expect([code, output]).toEqual([0, expect.stringContaining('Suspensions go on.')]);
  });

  it('logs each alarm as a sentence, and no secret', () => {
    expect(world.billing.output).toContain('Subscription sub_gone names gone.example, which is no domain here');
    for (const secret of Object.values(world.environment()).filter((value) =>
      /^(sk_|whsec_|billing-token)/.test(value),
    )) {
      expect(world.billing.output).not.toContain(secret);
    }
  });
});
