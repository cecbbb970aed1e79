import { BILLING, MASTER } from './api-fixture.js';
import { Browser } from './browser.js';
import type { StolenTokenWorld, Victim } from './stolen-token-world.js';

/** What a route does at worst with a stolen `billing` token, and the proof. */
export interface Worst {
  worst: string;
  prove: (world: StolenTokenWorld) => Promise<void>;
}

const REFUSED = { status: 403, body: { code: 'scope_not_allowed' } };

/**
 * Every route that is not a GET and that the token may call. A new one fails the suite until its worst is written here.
 * `docs/billing-token.md` says the same to operators.
 */
export const WORST: Record<string, Worst> = {
  'POST /domains/': {
    worst: 'takes free names for any partner; what it makes is closed for mail and lifts no hold of the name',
    prove: async (world) => {
      const taken = await world.victim();
      expect(await world.steal('post', '/domains/', { name: taken.name, partner_ref: 'rival' })).toMatchObject({
        status: 400,
        body: { code: 'domain_exists' },
      });
      const name = world.aName();
      expect(await world.steal('post', '/domains/', { name, partner_ref: 'rival' })).toMatchObject({ status: 201 });
      expect(await recordOf(world, name)).toMatchObject({ inbound: 'pending', verification_status: 'unverified' });
      await expectHoldsToStay(world, (each) => world.steal('post', '/domains/', { name: each, partner_ref: 'acme' }));
    },
  },
  'POST /domains/bulk': {
    worst: 'the same for 500 names a request',
    prove: async (world) => {
      const [taken, name] = [await world.victim(), world.aName()];
      const items = [taken.name, name].map((each) => ({ name: each, partner_ref: 'rival' }));
      const { body } = await world.steal('post', '/domains/bulk', { items });
      expect(body).toMatchObject([{ status: 400, problem: { code: 'domain_exists' } }, { status: 201 }]);
      expect(await recordOf(world, name)).toMatchObject({ inbound: 'pending', verification_status: 'unverified' });
      await expectHoldsToStay(world, (each) =>
        world.steal('post', '/domains/bulk', { items: [{ name: each, partner_ref: 'acme' }] }),
      );
    },
  },
  'DELETE /domains/:domain_name': {
    worst: 'deletes every domain; each comes back whole within the grace, restored by its partner or by master',
    prove: async (world) => {
      for (const token of [world.acme, MASTER]) {
        const victim = await world.victim();
        const before = await world.everythingOf(victim);
        expect(await world.steal('delete', `/domains/${victim.name}`)).toMatchObject({ status: 204 });
        await world.pass(6);
        const id = await world.deletionOf(token, victim.name);
        expect(await world.steal('post', `/deleted/${id}/erase`)).toMatchObject(REFUSED);
        expect(await world.steal('post', `/deleted/${id}/restore`)).toMatchObject(REFUSED);
        expect(await world.restore(token, id)).toBe(200);
        await world.pass(10);
        expect(await world.everythingOf(victim)).toEqual(before);
      }
    },
  },
  'PUT /domains/:domain_name/retention': {
    worst: 'lowers the retention to a day; no mail is removed for 14 days, and none when it is raised before',
    prove: (world) =>
      expectNoEarlyPurge(world, ({ name }) => world.steal('put', `/domains/${name}/retention`, { retention_days: 1 })),
  },
  'PUT /domains/:domain_name/plan': {
    worst:
      'changes plan, retention, transfer cap, storage quotas and the subscription; no mail is removed for 14 days, and the audit log has the former subscription',
    prove: async (world) => {
      await expectNoEarlyPurge(world, ({ name }) =>
        world.steal('put', `/domains/${name}/plan`, { plan: 'starter', override: true }),
      );
      const victim = await world.victim();
      const path = `/domains/${victim.name}/plan`;
      await world.master.put(path, { plan: 'business', billing_ref: 'sub_paid' }).expect(200);
      const stolen = { plan: 'business', billing_ref: 'sub_stolen', replaces: 'sub_paid' };
      expect(await world.steal('put', path, stolen)).toMatchObject({ status: 200 });
      expect(await formerValues(world, { domain: victim.name, action: 'domain.change_plan' })).toMatchObject({
        billing_ref: 'sub_paid',
      });
    },
  },
  'PUT /domains/:domain_name/transfer': {
    worst: 'sets a cap that stops the outbound mail; the audit log has the former one',
    prove: async (world) => {
      const victim = await world.victim();
      await world.steal('put', `/domains/${victim.name}/transfer`, { transfer_monthly_mb: 1 });
      expect(await formerValues(world, { domain: victim.name, action: 'domain.set_transfer_cap' })).toEqual({
        transfer_monthly_mb: 777,
      });
      await expectNothingLost(world, victim);
    },
  },
  'PUT /domains/:domain_name/suspend': {
    worst: 'suspends every domain with the cause `billing`; nothing is lost, and master lifts it',
    prove: async (world) => {
      const victim = await world.victim();
      const path = `/domains/${victim.name}/suspend`;
      for (const cause of ['operator', 'abuse'])
        expect(await world.steal('put', path, { cause })).toMatchObject(REFUSED);
      for (const body of [undefined, { cause: 'billing' }]) {
        expect((await world.steal('put', path, body)).body).toMatchObject({ suspension_causes: ['billing'] });
      }
      await world.master.put(`/domains/${victim.name}/activate`, { cause: 'billing' }).expect(200);
      expect(await recordOf(world, victim.name)).toMatchObject({ status: 'active', suspension_causes: [] });
      await expectNothingLost(world, victim);
    },
  },
  'PUT /domains/:domain_name/activate': {
    worst: 'lifts the cause `billing` and no other',
    prove: async (world) => {
      const { name } = await world.victim();
      await suspendForEveryCause(world, name);
      const path = `/domains/${name}/activate`;
      for (const cause of ['operator', 'abuse', 'partner']) {
        expect((await world.steal('put', path, { cause })).status).toBeGreaterThanOrEqual(400);
      }
      for (const body of [undefined, { cause: 'billing' }]) await world.steal('put', path, body);
      expect(await causesOf(world, name)).toEqual(['abuse', 'operator', 'partner']);
    },
  },
  'PUT /partners/:partner_ref/suspend': {
    worst: 'suspends every partner with the cause `billing`; nothing is lost, and master lifts it',
    prove: async (world) => {
      const victim = await world.victim();
      const path = '/partners/acme/suspend';
      for (const cause of ['operator', 'abuse'])
        expect(await world.steal('put', path, { cause })).toMatchObject(REFUSED);
      expect((await world.steal('put', path, { stage: 'all' })).body).toMatchObject({
        stage: 'all',
        suspension_causes: [{ cause: 'billing', stage: 'all' }],
      });
      await world.master.put('/partners/acme/activate', { cause: 'billing' }).expect(200);
      await expectNothingLost(world, victim);
    },
  },
  'PUT /partners/:partner_ref/activate': {
    worst: 'lifts the cause `billing` of partners and no other',
    prove: async (world) => {
      for (const cause of ['operator', 'abuse', 'billing']) {
        await world.master.put('/partners/rival/suspend', { cause, stage: 'changes' }).expect(200);
      }
      const path = '/partners/rival/activate';
      for (const cause of ['operator', 'abuse'])
        expect(await world.steal('put', path, { cause })).toMatchObject(REFUSED);
      // Its own cause may be as wide as it likes; the others stay as they are.
      await world.steal('put', '/partners/rival/suspend', { stage: 'all' });
      const { body } = await world.steal('put', path);
      expect(body).toMatchObject({
        stage: 'changes',
        suspension_causes: expect.arrayContaining([
          expect.objectContaining({ cause: 'operator', stage: 'changes' }),
          expect.objectContaining({ cause: 'abuse', stage: 'changes' }),
        ]),
      });
      expect(JSON.stringify(body)).not.toContain('billing');
      await world.master.put('/partners/rival/activate').expect(200);
    },
  },
  'PUT /users/:email/quota': {
    worst: 'sets a storage quota below what is used, so that new mail is refused; the audit log has the former one',
    prove: async (world) => {
      const victim = await world.victim();
      const [email] = victim.emails;
      expect(
        await world.steal('put', `/users/${email}/quota`, { quota_mb: 1, password: 'a-password-of-mine' }),
      ).toMatchObject({ status: 422 });
      expect(await world.steal('put', `/users/${email}/quota`, { quota_mb: 1 })).toMatchObject({ status: 200 });
      expect(await formerValues(world, { subject: email ?? '', action: 'mailbox.update' })).toMatchObject({
        quota_mb: 700,
      });
      await world.master.put(`/users/${email}/quota`, { quota_mb: 700 }).expect(200);
      await expectNothingLost(world, victim);
    },
  },
  'PUT /api-keys/:token': {
    worst:
      'gives any limits to the keys that operators made, stops keys, and starts stopped ones; shows of a token at most its ends',
    prove: async (world) => {
      const token = await world.api.key('acme', { domains_allowed: 2 });
      world.secrets.add(token);
      const { id } = (await world.master.get(`/api-keys/${token}`).expect(200)).body;
      const path = `/api-keys/${id}`;
      const mine = { expires_at: null, scope: 'manage', domains: null, name: 'mine' };
      for (const [field, value] of Object.entries(mine)) {
        expect(await world.steal('put', path, { [field]: value })).toMatchObject(REFUSED);
      }
      for (const field of ['token', 'partner_ref']) {
        expect(await world.steal('put', path, { [field]: 'rival' })).toMatchObject({ status: 422 });
      }
      await world.master.put(path, { active: false }).expect(200);
      const wide = { active: true, domains_allowed: 0, mailboxes_per_domain: 0, aliases_per_mailbox: 0 };
      expect(await world.steal('put', path, wide)).toMatchObject({ status: 200, body: { id, ...wide } });
      // A key that is ended for good stays so.
      await world.master.put(path, { expires_at: '2020-01-01' }).expect(200);
      await world.steal('put', path, { active: true });
      await world.api.as(token).get('/me').expect(401);
      await world.master.delete(path).expect(204);
      expect(await world.steal('put', path, { active: true })).toMatchObject({ status: 404 });
    },
  },
  'POST /portal-links': {
    worst: 'makes links to the DNS records of any domain; they end with the token',
    prove: async (world) => {
      const { name } = await world.victim();
      expect(await world.steal('post', '/portal-links', { domain: name, scope: 'manage' })).toMatchObject(REFUSED);
      const { body } = await world.steal('post', '/portal-links', { domain: name, scope: 'dns', days: 30 });
      const guest = new Browser(world.api.url);
      const code = (body as { url: string }).url.split('#code=')[1];
      expect((await guest.enter(null, { code })).status).toBe(201);
      for (const path of [`/domains/${name}`, '/users/', '/aliases/', '/domains/', '/events', '/deleted/']) {
        await guest.send('get', path).expect(403);
      }
      await guest.send('get', `/domains/${name}/dns-check`).expect(200);
      await guest.send('delete', `/domains/${name}`).expect(403);
      await guest.send('post', '/portal-links', { domain: name, scope: 'dns' }).expect(403);
      await expectEndWithToken(world, guest);
    },
  },
  'DELETE /portal-links/:link_id': {
    worst: 'ends the links that it made itself',
    prove: async (world) => {
      const { name } = await world.victim();
      const link = { domain: name, scope: 'dns' };
      const own = (await world.steal('post', '/portal-links', link)).body as { id: number };
      for (const token of [MASTER, world.acme]) {
        const { id } = (await world.api.as(token).post('/portal-links', link).expect(201)).body;
        expect(await world.steal('delete', `/portal-links/${id}`)).toMatchObject({ status: 404 });
      }
      expect(await world.steal('delete', `/portal-links/${own.id}`)).toMatchObject({ status: 204 });
    },
  },
  'POST /sessions': {
    worst: 'opens sessions of its own, which may do what the token may and end with it',
    prove: async (world) => {
      const thief = new Browser(world.api.url);
      const { status, body } = await thief.enter(BILLING);
      expect([status, body.caller]).toMatchObject([201, { kind: 'operator', scope: 'billing' }]);
      await thief.send('get', '/users/').expect(403);
      await expectEndWithToken(world, thief);
    },
  },
  'POST /sessions/preview': {
    worst: 'reads what a code opens, when it knows the code',
    prove: async (world) => {
      const { status } = await world.steal('post', '/sessions/preview', { code: 'A'.repeat(43) });
      expect(status).toBe(401);
    },
  },
  'DELETE /sessions/:session': {
    worst: 'ends sessions of its own',
    prove: async (world) => {
      for (const token of [MASTER, world.acme]) {
        const other = new Browser(world.api.url);
        await other.enter(token);
        expect(await world.steal('delete', `/sessions/${other.id}`)).toMatchObject({ status: 404 });
        await other.send('get', '/me').expect(200);
      }
    },
  },
};

async function recordOf(world: StolenTokenWorld, name: string): Promise<object> {
  return (await world.master.get(`/domains/${name}`).expect(200)).body;
}

export async function causesOf(world: StolenTokenWorld, name: string): Promise<string[]> {
  const { suspension_causes: causes } = (await recordOf(world, name)) as { suspension_causes: string[] };
  return [...causes].sort();
}

export async function suspendForEveryCause(world: StolenTokenWorld, name: string): Promise<void> {
  await world.api.as(world.acme).put(`/domains/${name}/suspend`).expect(200);
  for (const cause of ['operator', 'abuse', 'billing']) {
    await world.master.put(`/domains/${name}/suspend`, { cause }).expect(200);
  }
}

/** Deletes a held domain and has it made anew for its partner: what operators set holds for the new one. */
async function expectHoldsToStay(
  world: StolenTokenWorld,
  makeAnew: (name: string) => Promise<{ body: unknown }>,
): Promise<void> {
  const { name } = await world.victim();
  await suspendForEveryCause(world, name);
  await world.master.put(`/domains/${name}/outbound`, { outbound_status: 'blocked' }).expect(200);
  expect(await world.steal('delete', `/domains/${name}`)).toMatchObject({ status: 204 });
  await makeAnew(name);
  await world.steal('put', `/domains/${name}/activate`);
  expect(await recordOf(world, name)).toMatchObject({ inbound: 'pending', outbound_status: 'blocked' });
  expect(await causesOf(world, name)).toEqual(['abuse', 'operator']);
}

/** The thief lowers: nothing is removed for 13 days, all of it on day 15; raised on day 13, nothing at all. */
async function expectNoEarlyPurge(
  world: StolenTokenWorld,
  lower: (victim: Victim) => Promise<{ status: number }>,
): Promise<void> {
  const [lost, saved] = [await world.victim(), await world.victim()];
  const messages = async ({ emails }: Victim) => Promise.all(emails.map((email) => world.messagesOf(email)));
  for (const victim of [lost, saved]) expect(await lower(victim)).toMatchObject({ status: 200 });
  await world.pass(13);
  expect([await messages(lost), await messages(saved)]).toEqual([
    [3, 3],
    [3, 3],
  ]);
  await world.master.put(`/domains/${saved.name}/retention`, { retention_days: 0 }).expect(200);
  await world.pass(2);
  expect([await messages(lost), await messages(saved)]).toEqual([
    [0, 0],
    [3, 3],
  ]);
}

/** What the thief changed is changed back: mail, passwords and aliases are untouched. */
async function expectNothingLost(world: StolenTokenWorld, victim: Victim): Promise<void> {
  await world.pass(20);
  const { mailboxes, aliases, mail } = (await world.everythingOf(victim)) as Record<
    string,
    { password_hash: string }[]
  >;
  expect(mailboxes?.every(({ password_hash: hash }) => world.secrets.has(hash))).toBe(true);
  expect([mailboxes?.length, aliases?.length, mail]).toEqual([2, 3, [3, 3]]);
}

/** What the thief entered with is out as soon as the token is not configured any more. */
async function expectEndWithToken({ api }: StolenTokenWorld, { cookie }: Browser): Promise<void> {
  const without = await api.startReplica({ OPERATOR_TOKENS: '' });
  const statusOn = async (url: string) => {
    const there = Object.assign(new Browser(url), { cookie });
    return (await there.send('get', '/sessions/current')).status;
  };
  expect([await statusOn(api.url), await statusOn(without.url)]).toEqual([200, 401]);
  await without.close();
}

/** The values before the newest change that the thief made. */
async function formerValues(world: StolenTokenWorld, filter: Record<string, string>): Promise<unknown> {
  const query = new URLSearchParams({ actor: 'billing', order: 'desc', ...filter });
  const { body } = await world.master.get(`/audit?${query}`).expect(200);
  return (body as { before: unknown }[])[0]?.before;
}
