import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Child } from '@mailstead/core/testing/child';
import { BillingWorld, MASTER } from './testing/billing-world.js';

let world: BillingWorld;

beforeEach(async () => {
  world = await BillingWorld.start();
});
afterEach(() => world.stop());

const isSuspended = async (name: string) => (await world.domain(name)).suspension_causes.includes('billing');

async function suspendedOf(names: readonly string[]): Promise<number> {
  const states = await Promise.all(names.map(isSuspended));
  return states.filter(Boolean).length;
}

/** Adds domains whose subscriptions are stored and paid, and then end. */
async function addEnded(count: number, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) names.push(await world.addPaid({ id: `${prefix}_${index}` }));
  expect((await world.command(['reconcile'])).code).toBe(0);
  for (let index = 0; index < count; index += 1) world.stripe.put({ id: `${prefix}_${index}`, status: 'canceled' });
  return names;
}

describe('the brake', () => {
  it('lets 20 suspensions pass within an hour, also by several processes and over restarts, and holds the others until resume', async () => {
    const names = await addEnded(30, 'sub_storm');
    await world.startBilling();
    const command = world.command(['reconcile']);
    await Promise.all(names.slice(0, 10).map((_, index) => world.event(`sub_storm_${index}`)));
    const { code, output } = await command;
    expect(output).toMatch(/The brake holds: shop-\d+\.example is not suspended until "resume"/);
    expect(code).toBe(2);
    // The server may still make one that it was allowed.
    await world.billing.until(async () => (await suspendedOf(names)) >= 20);
    expect(await suspendedOf(names)).toBe(20);

    await world.billing.end('SIGKILL');
    await world.startQuietBilling();
    expect((await world.alarms()).map(({ kind }) => kind)).toContain('brake');
    expect(await world.metric('mailstead_billing_alarms{kind="brake"}')).toBe(1);
    const answers = await Promise.all(names.map((_, index) => world.event(`sub_storm_${index}`)));
    expect(answers.filter((status) => status === 503)).toHaveLength(10);
    expect(await suspendedOf(names)).toBe(20);

    // Who pays is activated all the same.
    const free = (await Promise.all(names.map(isSuspended))).indexOf(true);
    world.stripe.put({ id: 'sub_again', partner: 'acme', domain: names[free] ?? '' });
    expect(await world.event('sub_again')).toBe(200);
    expect(await isSuspended(names[free] ?? '')).toBe(false);

    expect((await world.command(['resume'])).code).toBe(0);
    expect((await world.command(['reconcile'])).code).toBe(0);
    expect(await suspendedOf(names)).toBe(29);
    await world.billing.until(async () => !(await world.alarms()).some(({ kind }) => kind === 'brake'));
  });

  it('suspends nothing while state.json cannot be read, keeps the file, and begins a new one at resume', async () => {
    const [name = ''] = await addEnded(1, 'sub_corrupt');
    await world.writeState('{"suspensions": 7');
    await world.startQuietBilling();
    expect(await world.event('sub_corrupt_0')).toBe(503);
    expect(await isSuspended(name)).toBe(false);
    expect((await world.alarms()).map(({ kind }) => kind)).toContain('state_unreadable');
    expect(await world.readState()).toBe('{"suspensions": 7');
    await world.command(['resume']);
    expect((await readdir(world.dataDir)).filter((entry) => entry.includes('unreadable'))).toHaveLength(1);
    expect(await world.event('sub_corrupt_0')).toBe(200);
    expect(await isSuspended(name)).toBe(true);
  });

  it('suspends nothing that it cannot record, and goes on by itself when the disk can be written', async () => {
    const [name = ''] = await addEnded(1, 'sub_full');
    await world.startQuietBilling({ BILLING_RECONCILE_MINUTES: '1440' });
    await world.command(['resume']);
    await world.addPaid({ id: 'sub_full_0', domain: name, status: 'active' });
    await world.event('sub_full_0');
    world.stripe.put({ id: 'sub_full_0', status: 'unpaid' });
    // The new file cannot be created.
    const blocked = join(world.dataDir, 'state.json.new');
    await mkdir(blocked);
    expect(await world.event('sub_full_0')).toBe(503);
    expect(await isSuspended(name)).toBe(false);
    expect((await world.alarms()).map(({ kind }) => kind)).toContain('state_unwritable');
    await rm(blocked, { recursive: true });
    expect(await world.event('sub_full_0')).toBe(200);
    expect(await isSuspended(name)).toBe(true);
  });
});

describe('a billing process that is killed', () => {
  it('between reading and writing, has changed nothing, and the repeated event is done', async () => {
    const domain = await world.addPaid({ id: 'sub_killed', plan: 'business' });
    await world.startQuietBilling();
    world.stripe.put({ id: 'sub_killed', plan: 'enterprise' });
    const arrived = world.front.hold(/^PUT .*\/plan$/);
    const answer = world.event('sub_killed').catch(() => 'cut off');
    await arrived;
    await world.billing.end('SIGKILL');
    expect(await answer).toBe('cut off');
    expect((await world.domain(domain)).plan).toBe('business');
    await world.startBilling();
    expect(await world.event('sub_killed')).toBe(200);
    expect((await world.domain(domain)).plan).toBe('enterprise');
  });

  it('after recording a suspension and before making it, counts it once', async () => {
    const [name = ''] = await addEnded(1, 'sub_half');
    const arrived = world.front.hold(/^PUT .*\/suspend$/);
    await world.startBilling();
    await arrived;
    await world.billing.end('SIGKILL');
    expect(await isSuspended(name)).toBe(false);
    await world.startQuietBilling();
    expect(await isSuspended(name)).toBe(true);
    const { suspensions } = JSON.parse(await world.readState()) as { suspensions: { domain: string }[] };
    expect(suspensions.map(({ domain }) => domain)).toEqual([name]);
  });

  it('while the API goes away in the middle, leaves what the next event completes', async () => {
    const domain = await world.addPaid({ id: 'sub_middle', status: 'unpaid' });
    await world.startBilling({ BILLING_RECONCILE_MINUTES: '1440' });
    const arrived = world.front.hold(/^PUT .*\/suspend$/);
    void world.event('sub_middle').catch(() => undefined);
    await arrived;
    await world.api.end('SIGKILL');
    await world.billing.end('SIGKILL');
    await world.startApi();
    expect(await world.domain(domain)).toMatchObject({ billing_ref: 'sub_middle', suspension_causes: [] });
    await world.startQuietBilling();
    expect(await isSuspended(domain)).toBe(true);
  });
});

describe('the start', () => {
  it('is refused with one sentence for a master token, a token of another scope, and an unknown one', async () => {
    const tokens = {
      [MASTER]: 'BILLING_TOKEN is the master token: use an operator token of scope billing',
      'reading-token-of-the-billing-tests-0123456789': 'BILLING_TOKEN is of scope read: use an operator token',
      'unknown-token-0123456789': 'BILLING_TOKEN is no token of this API',
    };
    for (const [token, sentence] of Object.entries(tokens)) {
      for (const args of [[], ['reconcile']]) {
        const { code, output } = await world.command(args, { BILLING_TOKEN: token });
        expect(code).toBe(1);
        expect(output).toContain(sentence);
        expect(output).not.toContain(token);
      }
    }
    expect(world.stripe.requests).toEqual([]);
  });

  it('of a second server is refused, and possible at once after the first was killed', async () => {
    await world.startQuietBilling();
    const second = await world.command([]);
    expect(second.code).toBe(1);
    expect(second.output).toMatch(/^Another billing process serves from .*: stop it first/);
    await world.billing.end('SIGKILL');
    await world.startQuietBilling();
    expect(world.billing.isRunning).toBe(true);
  });

  it('waits for an API that is away: events are answered 503 until it answers', async () => {
    const domain = await world.addPaid({ id: 'sub_wait' });
    world.front.isDown = true;
    await world.startBilling();
    expect(await world.event('sub_wait')).toBe(503);
    world.front.isDown = false;
    expect(await world.event('sub_wait')).toBe(200);
    expect((await world.domain(domain)).billing_ref).toBe('sub_wait');
  });

  it('lists every invalid setting, and every command', async () => {
    const child = new Child('billing', { STRIPE_API_BASE: 'http://stripe.example', BILLING_PORT: '99999' });
    expect(await child.exit()).toBe(1);
    for (const name of ['STRIPE_API_KEY', 'STRIPE_API_BASE', 'BILLING_PORT', 'MAILSTEAD_URL', 'BILLING_TOKEN']) {
      expect(child.output).toContain(`- ${name}: `);
    }
    const help = await world.command(['export', '--month', '2026-13']);
    expect(help.code).toBe(1);
    expect(help.output).toContain('export --month YYYY-MM');
  });
});
