import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { draws } from '../../../../scripts/fast-check.mjs';
import type { Route } from '../http/route.js';
import { MASTER } from './api-fixture.js';
import { StolenTokenWorld } from './stolen-token-world.js';
import { causesOf, suspendForEveryCause, WORST } from './stolen-token-worsts.js';

/** The changing routes of the application that the token may call. */
export const routesToProve = (routes: readonly Route[]): string[] =>
  routes.filter((route) => route.method !== 'get' && mayCall(route)).map(labelOf);

const labelOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

/** Whether the token opens more of the route than no token does. */
const mayCall = ({ access, scopes, admit }: Route) =>
  access === 'any' || scopes?.includes('billing') === true || (access === 'public' && admit !== undefined);

/** What somebody does at worst who has a `billing` token and nothing else. */
export function stolenTokenSuite(kind: DatabaseKind): void {
  let world: StolenTokenWorld;

  beforeAll(async () => {
    world = await StolenTokenWorld.start(kind);
  });
  afterAll(() => world.stop());

  it.each(Object.entries(WORST).map(([route, { worst, prove }]) => [route, worst, prove] as const))(
    '%s at worst %s',
    (_route, _worst, prove) => prove(world),
  );

  it('is refused every other route', async () => {
    for (const route of world.api.routes.filter((each) => each.access !== 'public' && !mayCall(each))) {
      const { status } = await world.steal(route.method, route.path.replaceAll(/:\w+/g, 'x'), {});
      expect([labelOf(route), status]).toEqual([labelOf(route), 403]);
    }
  });

  describe('deletes a domain and has the name made anew for another partner', () => {
    it('who sees nothing of it and must prove the ownership; master brings the first one back whole', async () => {
      const victim = await world.victim();
      const before = await world.everythingOf(victim);
      await world.steal('delete', `/domains/${victim.name}`);
      expect(await world.steal('post', '/domains/', { name: victim.name, partner_ref: 'rival' })).toMatchObject({
        status: 201,
      });
      const rival = world.api.as(world.rival);
      expect((await rival.get(`/domains/${victim.name}`).expect(200)).body).toMatchObject({
        inbound: 'pending',
        mailboxes: 0,
        aliases: 0,
        plan: null,
        external_ref: null,
      });
      expect((await rival.get(`/users/?domain=${victim.name}`).expect(200)).body).toEqual([]);
      expect(JSON.stringify((await rival.get('/events').expect(200)).body)).not.toContain('acme');
      const [proof] = await world.rows(
        'SELECT ownership_token, ownership_required FROM verification WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
        victim.name,
      );
      expect(proof).toMatchObject({ ownership_required: 1 });
      expect(proof?.ownership_token).not.toBe(
        (before as { ownership: { ownership_token: string } }).ownership.ownership_token,
      );
      // The mailbox of the same address is another one, with other mail.
      await rival.post('/users/', { email: `anna@${victim.name}`, password: 'a-password-of-rival' }).expect(201);
      await world.pass(6);

      const id = await world.deletionOf(MASTER, victim.name);
      expect(await world.deletionOf(world.acme, victim.name)).toBeNull();
      expect([await world.restore(world.acme, id), await world.restore(world.rival, id)]).toEqual([404, 404]);
      expect(await world.restore(MASTER, id)).toBe(400);
      await world.master.delete(`/domains/${victim.name}`).expect(204);
      expect(await world.restore(MASTER, id)).toBe(200);
      // A repeat finds what the first one did.
      expect(await world.restore(MASTER, id)).toBe(200);
      const { domain, ownership, ...rest } = (await world.everythingOf(victim)) as Record<string, object>;
      const { domain: domainBefore, ownership: _former, ...restBefore } = before as Record<string, object>;
      expect(rest).toEqual(restBefore);
      // Another partner had the name: the mail waits until the partner, or master, has shown whose it is.
      expect(domain).toEqual({ ...domainBefore, inbound: 'pending', pending_since: null });
      expect(ownership).not.toEqual(_former);
      expect(await world.deletionOf(world.rival, victim.name)).toBeNull();
      await world.pass(20);
      expect(await world.everythingOf(victim)).toMatchObject(restBefore);
    });

    it('several times, and takes the new ones away too: master still brings back the first one', async () => {
      const victim = await world.victim();
      await suspendForEveryCause(world, victim.name);
      const { mailboxes, aliases } = (await world.everythingOf(victim)) as Record<string, object>;
      for (const partner_ref of ['rival', null, 'acme', 'somebody-new']) {
        await world.steal('delete', `/domains/${victim.name}`);
        await world.steal('post', '/domains/', { name: victim.name, partner_ref });
      }
      await world.steal('delete', `/domains/${victim.name}`);
      const { body } = await world.master.get(`/deleted/?domain=${victim.name}&partner_ref=acme`).expect(200);
      const first = (body as { id: number; mailboxes: number }[]).find((each) => each.mailboxes === 2);
      expect(await world.restore(MASTER, first?.id ?? 0)).toBe(200);
      expect(await world.everythingOf(victim)).toMatchObject({ mailboxes, aliases, mail: [3, 3] });
      expect(await causesOf(world, victim.name)).toEqual(['abuse', 'billing', 'operator', 'partner']);
    });
  });

  it('puts everything in the way of a restoration: the partner is refused, and master restores all as it was', async () => {
    const partner = `cornered`;
    const key = await world.api.key(partner);
    const victim = await world.victim();
    await world.master.put(`/domains/${victim.name}/partner`, { partner_ref: partner }).expect(200);
    const { mailboxes, aliases, mail } = (await world.everythingOf(victim)) as Record<string, object>;
    const { id } = (await world.master.get(`/api-keys/${key}`).expect(200)).body;
    await world.steal('put', `/domains/${victim.name}/retention`, { retention_days: 1 });
    await world.steal('delete', `/domains/${victim.name}`);
    await world.steal('post', '/domains/', { name: world.aName(), partner_ref: partner });
    const deletion = await world.deletionOf(MASTER, victim.name);
    await world.steal('put', `/api-keys/${id}`, { domains_allowed: 1, mailboxes_per_domain: 1 });
    expect(await world.restore(key, deletion)).toBe(403);
    await world.steal('put', `/partners/${partner}/suspend`, { stage: 'all' });
    expect(await world.restore(key, deletion)).toBe(403);
    await world.steal('put', `/api-keys/${id}`, { active: false });
    expect(await world.restore(key, deletion)).toBe(401);
    await world.pass(6);
    expect(await world.restore(MASTER, deletion)).toBe(200);
    await world.master.put(`/partners/${partner}/activate`).expect(200);
    await world.pass(7);
    expect(await world.everythingOf(victim)).toMatchObject({ mailboxes, aliases, mail });
  });

  it('deletes all domains of a partner: restored newest first, they come back with the aliases between them', async () => {
    const [left, right] = [await world.victim(), await world.victim()];
    for (const [from, to] of [
      [left, right],
      [right, left],
    ] as const) {
      const alias = { address: `cross@${from.name}`, destination: to.emails[0] };
      await world.api.as(world.acme).post('/aliases/', alias).expect(201);
    }
    const before = [await world.everythingOf(left), await world.everythingOf(right)];
    for (const { name } of [left, right]) await world.steal('delete', `/domains/${name}`);
    await world.pass(6);
    for (const { name } of [right, left]) {
      const { body } = await world.master.post(`/deleted/${await world.deletionOf(MASTER, name)}/restore`).expect(200);
      expect((body as { left_out: unknown[] }).left_out).toEqual([]);
    }
    expect([await world.everythingOf(left), await world.everythingOf(right)]).toEqual(before);
  });

  it.each([1, 2, 3])(
    'removes no mail within 14 days, in whatever order it changes retention and plan (%i)',
    async (number) => {
      const victim = await world.victim();
      const { oneOf } = draws(number);
      for (let day = 0; day < 13; day += 1) {
        for (let change = 0; change < 3; change += 1) {
          const [path, body] = oneOf([
            ['retention', { retention_days: oneOf([0, 1, 2, 30, 36_500]) }],
            ['plan', { plan: oneOf(['starter', 'business', 'enterprise']), override: true }],
            ['suspend', undefined],
            ['activate', undefined],
          ] as const);
          expect((await world.steal('put', `/domains/${victim.name}/${path}`, body)).status).toBe(200);
        }
        await world.pass(1);
      }
      expect(await world.everythingOf(victim)).toMatchObject({ mail: [3, 3] });
    },
  );

  it('is sent no password, no hash, no key, no place of mail, and nothing of what others entered with', async () => {
    const victim = await world.victim();
    const { body: link } = await world.master
      .post('/portal-links', { domain: victim.name, scope: 'manage' })
      .expect(201);
    world.secrets.add((link as { url: string }).url.split('#code=')[1] ?? '');
    const places: Record<string, string> = {
      domain_name: victim.name,
      email: victim.emails[0] ?? '',
      partner_ref: 'acme',
    };
    const routes = world.api.routes.filter((route) => route.method === 'get' && mayCall(route));
    expect(routes.length).toBeGreaterThan(8);
    for (const { path } of routes) {
      const url = path.replaceAll(/:(\w+)/g, (_, name: string) => places[name] ?? 'x');
      for (const query of ['', '?view=full', `?month=${new Date().toISOString().slice(0, 7)}`])
        await world.steal('get', url + query);
    }
    expect(world.loot.length).toBeGreaterThan(100);
    for (const secret of world.secrets) {
      expect(secret.length).toBeGreaterThan(20);
      expect(world.loot.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
}
