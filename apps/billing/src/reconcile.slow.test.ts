import { BillingWorld, PARTNER } from './testing/billing-world.js';

let world: BillingWorld;

beforeAll(async () => {
  world = await BillingWorld.start();
});
afterAll(() => world.stop());

const changesSent = () => world.front.requests.filter((each) => !each.startsWith('GET ')).length;

describe('a comparison of all subscriptions with all domains', () => {
  const domains: Record<string, string> = {};

  it('prints what it would change with --dry-run, exits with 2, and changes nothing', async () => {
    domains.new = await world.addPaid({ id: 'sub_new', plan: 'business' });
    domains.late = await world.addPaid({ id: 'sub_late', status: 'past_due', invoiceDays: 7 });
    domains.young = await world.addPaid({ id: 'sub_young', status: 'past_due', invoiceDays: 6 });
    await world.addPaid({ id: 'sub_gone', domain: 'gone.example' });
    world.stripe.put({ id: 'sub_books', plan: null });
    world.stripe.put({ id: 'sub_old', status: 'canceled', partner: PARTNER, domain: domains.new });
    const { code, output } = await world.command(['reconcile', '--dry-run']);
    expect(output).toContain(`${domains.new}: would set the plan business and store sub_new`);
    expect(output).toContain(`${domains.late}: would suspend: sub_late is past_due`);
    expect(output).toContain('Subscription sub_gone names gone.example, which is no domain here');
    expect(output).toContain(
      '6 subscriptions (1 of other products), 0 domains that store one: 0 differences mended, 4 remain',
    );
    expect(code).toBe(2);
    expect(changesSent()).toBe(0);
  });

  it('corrects what differs without any event, names what it cannot correct, and changes nothing when it runs again', async () => {
    const first = await world.command(['reconcile']);
    expect(first.output).toContain(`${domains.late}: suspend: sub_late is past_due`);
    expect(first.code).toBe(2);
    expect(await world.domain(domains.new ?? '')).toMatchObject({ plan: 'business', billing_ref: 'sub_new' });
    expect(await world.domain(domains.late ?? '')).toMatchObject({ suspension_causes: ['billing'] });
    expect(await world.domain(domains.young ?? '')).toMatchObject({ suspension_causes: [] });
    const sent = changesSent();
    const again = await world.command(['reconcile']);
    expect(again.output).toContain('3 domains that store one: 0 differences mended, 0 remain, 1 alarms');
    expect(changesSent()).toBe(sent);
    world.stripe.remove('sub_gone');
    expect((await world.command(['reconcile'])).code).toBe(0);
  });

  it('names a domain whose subscription Stripe does not know, or whose subscription names another domain', async () => {
    const lost = await world.addPaid({ id: 'sub_lost' });
    const left = await world.addPaid({ id: 'sub_left' });
    await world.command(['reconcile']);
    world.stripe.remove('sub_lost');
    world.stripe.put({ id: 'sub_left', domain: 'elsewhere.example' });
    const before = [await world.domain(lost), await world.domain(left)];
    const { code, output } = await world.command(['reconcile']);
    expect(output).toContain(`${lost} is paid by sub_lost, which Stripe does not know`);
    expect(output).toContain(`${left} is paid by sub_left, which names elsewhere.example`);
    expect(code).toBe(2);
    expect([await world.domain(lost), await world.domain(left)]).toEqual(before);
    world.stripe.put({ id: 'sub_lost', partner: PARTNER, domain: lost });
    world.stripe.put({ id: 'sub_left', domain: left });
  });

  it('reads every page of both sides', async () => {
    const names: string[] = [];
    for (let index = 0; index < 130; index += 1) names.push(await world.addPaid({ id: `sub_page_${index}` }));
    const { code, output } = await world.command(['reconcile']);
    expect(output).toContain('135 domains that store one: 130 differences mended, 0 remain, 0 alarms');
    expect(code).toBe(0);
    expect((await world.domain(names[0] ?? '')).billing_ref).toBe('sub_page_0');
  });

  it('takes over a domain whose stored subscription ended while nobody listened', async () => {
    const domain = await world.addPaid({ id: 'sub_before' });
    await world.command(['reconcile']);
    world.stripe.put({ id: 'sub_before', status: 'canceled' });
    await world.addPaid({ id: 'sub_after', domain, plan: 'enterprise' });
    expect((await world.command(['reconcile'])).code).toBe(0);
    expect(await world.domain(domain)).toMatchObject({
      plan: 'enterprise',
      billing_ref: 'sub_after',
      suspension_causes: [],
    });
  });

  it('runs at the start of the server, and again until Stripe answers', async () => {
    const domain = await world.addPaid({ id: 'sub_start' });
    world.stripe.trouble = 'down';
    await world.startBilling();
    await world.billing.until(async () => (await world.alarms()).some(({ kind }) => kind === 'reconcile_failed'));
    await world.billing.end('SIGTERM');
    world.stripe.trouble = 'none';
    await world.startQuietBilling();
    expect((await world.domain(domain)).billing_ref).toBe('sub_start');
    expect(await world.metric('mailstead_billing_reconcile_last_success_seconds')).toBeGreaterThan(0);
    expect(await world.billing.end('SIGTERM')).toBe(0);
  });

  it('exits with 1 and one sentence while Stripe or the API is away', async () => {
    world.stripe.trouble = 'down';
    const stripe = await world.command(['reconcile']);
    expect(stripe).toMatchObject({ code: 1, output: 'Stripe: it does not answer\n' });
    world.stripe.trouble = 'none';
    world.front.isDown = true;
    const api = await world.command(['reconcile']);
    expect(api.code).toBe(1);
    expect(api.output).toMatch(/^The API: it does not answer/);
    world.front.isDown = false;
  });
});
