import { until } from '@mailstead/core/testing/until';
import { ApiFront } from './testing/api-front.js';
import { BillingWorld } from './testing/billing-world.js';

describe('billing with two addresses in MAILSTEAD_URL', () => {
  let world: BillingWorld;
  let other: ApiFront;
  let paid = 0;

  beforeAll(async () => {
    world = await BillingWorld.start();
    other = await ApiFront.start(world.apiUrl);
    await world.startQuietBilling({
      MAILSTEAD_URL: `${world.front.url},${other.url}`,
      BILLING_RECONCILE_MINUTES: '1440',
    });
  });
  afterAll(async () => {
    await world.stop();
    await other.stop();
  });
  beforeEach(() => {
    world.front.requests.length = 0;
    other.requests.length = 0;
  });

  /** Reports a new subscription. @returns the answer to Stripe, and the plan that the domain has then */
  async function pay(): Promise<{ status: number; plan: string | null }> {
    paid += 1;
    const id = `sub_${paid}`;
    const name = await world.addPaid({ id, plan: 'business' });
    const status = await world.event(id);
    return { status, plan: (await world.domain(name)).plan };
  }
  const DONE = { status: 200, plan: 'business' };

  it('asks the first while both are up', async () => {
    expect(await pay()).toEqual(DONE);
    expect(world.front.requests.length).toBeGreaterThan(0);
    expect(other.requests).toEqual([]);
  });

  it('asks the second when the first closes its connections, and the first again after a while', async () => {
    world.front.isDown = true;
    expect(await pay()).toEqual(DONE);
    expect(other.requests.filter((each) => each.startsWith('PUT '))).not.toEqual([]);
    // It rests, so a busy billing does not ask it with each request.
    const asked = world.front.requests.length;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(other.requests.length);
    world.front.isDown = false;
    await until('the first to be asked again', async () => {
      await pay();
      return world.front.requests.length > asked;
    });
  });

  it('repeats a change that the first never answered at the second, once, and answers Stripe', async () => {
    const arrived = world.front.hold(/^PUT .*\/plan$/);
    const [answer] = await Promise.all([pay(), arrived]);
    expect(answer).toEqual(DONE);
    expect(other.requests.filter((each) => /^PUT .*\/plan$/.test(each))).toHaveLength(1);
    expect(await world.alarms()).toEqual([]);
  });

  it('starts, and compares all subscriptions, with the second while the first is away', async () => {
    world.front.isDown = true;
    const { code, output } = await world.command(['reconcile'], { MAILSTEAD_URL: `${world.front.url},${other.url}` });
    world.front.isDown = false;
    expect(output).toContain('0 differences mended, 0 remain, 0 alarms');
    expect(code).toBe(0);
  });
});
