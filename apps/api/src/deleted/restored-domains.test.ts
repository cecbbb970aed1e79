import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CorrectCounts } from '@mailstead/core/counts/correct-counts';
import { MASTER } from '../testing/api-fixture.js';
import { type RestorationSteps, rowWithout, startRestorationSteps } from '../testing/restoration-steps.js';

/** What a restoration gives another value. */
const RENEWED = ['restored_at', 'revision'];

onHttpDatabase((kind) => {
  let names: RestorationSteps;

  beforeAll(async () => {
    names = await startRestorationSteps(kind);
  });
  afterAll(() => names.api.close());

  it('a domain comes back with its id, its settings, its mailboxes and its aliases in both directions', async () => {
    const { acme, api, remove, record, rowOf } = names;
    const { gone, stays } = await names.twoDomains();
    const before = await rowOf(gone);
    const mailboxes = await names.rows('SELECT * FROM mailbox WHERE domain_id = ? ORDER BY id', Number(before.id));
    await remove(acme, gone);
    const [deletion] = await names.listed(acme, gone);
    expect(deletion).toMatchObject({ kind: 'domain', name: gone, mailboxes: 2, aliases: 3 });
    const { body } = await names.restore(acme, deletion?.id ?? 0).expect(200);
    expect(body).toEqual({ ...(await record(gone)), left_out: [] });
    expect(body).toMatchObject({ id: before.id, mailboxes: 2, aliases: 2, verification_status: 'unverified' });
    expect(rowWithout(await rowOf(gone), ...RENEWED)).toEqual(rowWithout(before, ...RENEWED));
    const after = await names.rows('SELECT * FROM mailbox WHERE domain_id = ? ORDER BY id', Number(before.id));
    expect(after.map((row) => rowWithout(row, ...RENEWED, 'revoked_at'))).toEqual(
      mailboxes.map((row) => rowWithout(row, ...RENEWED, 'revoked_at')),
    );
    expect((await api.as(acme).get(`/domains/${stays}`)).body).toMatchObject({ aliases: 1 });
    expect(await names.rows('SELECT 1 FROM deleted_mailbox WHERE domain_id = ?', Number(before.id))).toEqual([]);
    expect((await names.asMaster().get('/partners/acme')).body.domains_used).toBe(
      (await api.as(acme).get('/domains/')).body.length,
    );
  });

  it('a domain leaves nothing that a list could miss: usage since a later time has its rows, with their first creation times', async () => {
    const { acme, remove, api } = names;
    const { gone } = await names.twoDomains();
    const [key] = (await names.asMaster().get('/api-keys/?partner_ref=acme').expect(200)).body;
    await remove(acme, gone);
    api.clock.advance(1_000);
    const since = api.clock.now().toISOString();
    const usage = async () => (await names.asMaster().get(`/api-keys/${key.id}/usage?since=${since}`).expect(200)).body;
    expect(JSON.stringify(await usage())).not.toContain(gone);
    api.clock.advance(1_000);
    const { body } = await names.restore(acme, await names.deletedId(acme, gone)).expect(200);
    const listedNow = await usage();
    expect(listedNow.domains_created_since).toEqual([{ name: gone, created_at: body.created_at }]);
    expect(listedNow.mailboxes_created_since.map(({ email }: { email: string }) => email)).toEqual([
      `a@${gone}`,
      `b@${gone}`,
    ]);
    expect(listedNow.aliases_created_since).toHaveLength(3);
    expect(body.created_at < since).toBe(true);
  });

  it('a domain starts its verification anew with the same ownership token', async () => {
    const { acme, remove, api, rowOf } = names;
    const { gone } = await names.twoDomains();
    const verification = async () =>
      (await names.rows('SELECT * FROM verification WHERE domain_id = ?', Number((await rowOf(gone)).id)))[0];
    await api.database.write(
      "UPDATE verification SET status = 'verified', verified_at = 1, started_at = 1 WHERE domain_id = ?",
      [Number((await rowOf(gone)).id)],
    );
    const before = await verification();
    await remove(acme, gone);
    api.jobs.jobs.length = 0;
    const { body } = await names.restore(acme, await names.deletedId(acme, gone)).expect(200);
    expect(await verification()).toMatchObject({
      status: 'unverified',
      verified_at: null,
      ownership_token: before?.ownership_token,
    });
    expect(api.jobs.jobs).toMatchObject([
      { name: 'limits.mark', payload: { domainId: body.id } },
      { name: 'domain.verify', payload: { domainId: body.id } },
    ]);
  });

  it('a domain keeps every setting, hold and counter, also its own suspension and limits', async () => {
    const { acme, aName, create, remove, api, setEverything, rowOf, outbound, sent, suspend } = names;
    const name = aName();
    await create(acme, name);
    await setEverything(name);
    await api.as(acme).put(`/domains/${name}/suspend`).expect(200);
    await api.as(acme).put(`/domains/${name}/outbound`, { daily_limit: 3 }).expect(200);
    await suspend(name, 'abuse');
    await sent(name, { count: 2 });
    const before = [rowWithout(await rowOf(name), ...RENEWED), rowWithout(await outbound(name), ...RENEWED)];
    await remove(acme, name);
    await names.restore(acme, await names.deletedId(acme, name)).expect(200);
    expect([rowWithout(await rowOf(name), ...RENEWED), rowWithout(await outbound(name), ...RENEWED)]).toEqual(before);
  });

  it('a domain gets the holds and counters of a later domain of the name: nothing is escaped by restoring the older one', async () => {
    const { acme, create, remove, api, suspend, configure, record, outbound, sent, mailbox } = names;
    const { gone } = await names.twoDomains();
    await names.asMaster().put(`/domains/${gone}/inbound`, { inbound: 'open' }).expect(200);
    await api.as(acme).put(`/domains/${gone}/suspend`).expect(200);
    await sent(gone, { count: 1 });
    await remove(acme, gone);
    const first = await names.deletedId(acme, gone);
    await create(acme, gone);
    await mailbox(acme, `later@${gone}`);
    expect((await names.restore(acme, first).expect(400)).body).toMatchObject({
      detail: 'Domain already exists',
      existing: { id: (await record(gone)).id },
    });
    await suspend(gone, 'billing');
    await configure(gone, { outbound_status: 'blocked', daily_limit: 9 });
    await names.asMaster().put(`/domains/${gone}/plan`, { plan: 'starter' }).expect(200);
    await sent(gone, { count: 5 });
    await remove(acme, gone);
    const { body } = await names.restore(acme, first).expect(200);
    expect(body).toMatchObject({
      suspension_causes: ['partner', 'billing'],
      outbound_status: 'blocked',
      plan: 'starter',
      inbound: 'pending',
      mailboxes: 2,
    });
    expect(await outbound(gone)).toMatchObject({ sent_today: 6, daily_limit: 9 });
    // The later domain stays restorable, as long as the name is free.
    const later = await names.deletedId(acme, gone);
    expect(later).not.toBe(first);
    await names.restore(acme, later).expect(400);
    await remove(acme, gone);
    expect((await names.restore(acme, later).expect(200)).body).toMatchObject({
      mailboxes: 1,
      outbound_status: 'blocked',
    });
    expect(await outbound(gone)).toMatchObject({ sent_today: 6 });
  });

  it.each([
    ['open', 'open'],
    ['pending', 'pending'],
  ])('a domain that was %s and that nobody had since is %s', async (inbound, expected) => {
    const { acme, aName, create, remove, rowOf } = names;
    const name = aName();
    await create(acme, name);
    await names.asMaster().put(`/domains/${name}/inbound`, { inbound }).expect(200);
    const { pending_since: since } = await rowOf(name);
    await remove(acme, name);
    expect((await names.restore(acme, await names.deletedId(acme, name)).expect(200)).body.inbound).toBe(expected);
    expect((await rowOf(name)).pending_since).toBe(since);
  });

  it('a domain has its own limits cut to what the operator allows today', async () => {
    const { acme, aName, create, remove, api, rowOf } = names;
    const name = aName();
    await create(acme, name);
    await names.asMaster().put(`/domains/${name}/outbound`, { outbound_tier: 'standard' }).expect(200);
    await api.as(acme).put(`/domains/${name}/outbound`, { daily_limit: 1_900, monthly_limit: 30_000 }).expect(200);
    await remove(acme, name);
    const id = await names.deletedId(acme, name);
    await names.asMaster().put('/outbound/tiers/standard', { daily_limit: 1_000, monthly_limit: 40_000 }).expect(200);
    await names.restore(acme, id).expect(200);
    expect(await rowOf(name)).toMatchObject({ client_daily_limit: 1_000, client_monthly_limit: 30_000 });
    await names.asMaster().put('/outbound/tiers/standard', { daily_limit: 2_000, monthly_limit: 40_000 }).expect(200);
  });

  it('a domain counts like a created one, but its own mailboxes all come back', async () => {
    const { acme, remove, api } = names;
    const { gone } = await names.twoDomains();
    await remove(acme, gone);
    const id = await names.deletedId(acme, gone);
    const full = await api.key('acme', { domains_allowed: 1 });
    expect((await names.restore(full, id).expect(403)).body).toMatchObject({
      detail: 'Domain quota exceeded',
      limit: 1,
    });
    const small = await api.key('acme', { mailboxes_per_domain: 1 });
    expect((await names.restore(small, id).expect(200)).body.mailboxes).toBe(2);
  });

  it('a domain keeps its parent when that still is one, and has none when it is gone', async () => {
    const { acme, aName, create, remove, record } = names;
    const name = aName();
    const child = `sub.${name}`;
    await create(acme, name);
    await names.asMaster().put(`/domains/${name}/parent`, { wildcard_mode: 'any' }).expect(200);
    await create(acme, child);
    await remove(acme, child);
    expect((await names.restore(acme, await names.deletedId(acme, child)).expect(200)).body.parent).toBe(name);
    await remove(acme, child);
    await remove(acme, name);
    expect((await names.restore(acme, await names.deletedId(acme, child)).expect(200)).body.parent).toBeNull();
    await names.restore(acme, await names.deletedId(acme, name)).expect(200);
    expect(await record(name)).toMatchObject({ wildcard_mode: 'any' });
    expect(await record(child)).toMatchObject({ parent: null });
  });

  it('a domain takes the block of its parent along, when the parent was deleted meanwhile', async () => {
    const { acme, aName, create, remove, suspend, configure } = names;
    const name = aName();
    await create(acme, name);
    await names.asMaster().put(`/domains/${name}/parent`, { wildcard_mode: 'any' }).expect(200);
    await create(acme, `sub.${name}`);
    await remove(acme, `sub.${name}`);
    await suspend(name, 'abuse');
    await configure(name, { outbound_status: 'blocked' });
    await remove(acme, name);
    expect((await names.restore(acme, await names.deletedId(acme, `sub.${name}`)).expect(200)).body).toMatchObject({
      suspension_causes: ['abuse'],
      outbound_status: 'blocked',
    });
  });

  it('a domain is refused below a verified domain of another partner, and with a reserved name, except for master', async () => {
    const { acme, rival, aName, create, remove, record, api } = names;
    const name = aName();
    await create(acme, `sub.${name}`);
    await remove(acme, `sub.${name}`);
    const id = await names.deletedId(acme, `sub.${name}`);
    await create(rival, name);
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [
      (await record(name)).id,
    ]);
    expect((await names.restore(acme, id).expect(403)).body.code).toBe('parent_domain_of_other_partner');
    await names.restore(MASTER, id).expect(200);
    await names.asMaster().post('/domains/', { name: 'reserved.example', partner_ref: 'acme' }).expect(201);
    await remove(acme, 'reserved.example');
    const reserved = await names.deletedId(acme, 'reserved.example');
    expect((await names.restore(acme, reserved).expect(403)).body.code).toBe('domain_name_reserved');
    await names.restore(MASTER, reserved).expect(200);
  });

  it('a domain does not come back after another partner had the name', async () => {
    const { acme, rival, create, remove } = names;
    const { gone } = await names.twoDomains();
    await remove(acme, gone);
    const id = await names.deletedId(acme, gone);
    await create(rival, gone);
    for (const token of [acme, rival, MASTER]) await names.restore(token, id).expect(404);
    await remove(rival, gone);
    for (const token of [acme, rival, MASTER]) await names.restore(token, id).expect(404);
    expect(await names.listed(acme, gone)).toEqual([]);
  });

  it('a domain has outside aliases only while they may be created, and delivers to a mailbox that was created anew', async () => {
    const { acme, remove, mailbox, aName, create, api } = names;
    const { gone, stays } = await names.twoDomains();
    await names.alias(acme, `out@${gone}`, 'someone@outside.example');
    const pending = aName();
    await names.alias(acme, `later@${gone}`, `someone@${pending}`);
    await create(acme, pending);
    await remove(acme, gone);
    const id = await names.deletedId(acme, gone);
    await names.deleteMailbox(acme, `c@${stays}`);
    const anew = await mailbox(acme, `c@${stays}`);
    const { body } = await names.restore(acme, id).expect(200);
    expect(body.left_out).toEqual([{ address: `later@${gone}`, destination: `someone@${pending}` }]);
    const [x] = await names.rows('SELECT * FROM alias WHERE address = ?', `x@${gone}`);
    expect(x?.destination_mailbox_id).toBe(anew.body.id);
    expect((await api.as(acme).get(`/aliases/?address=out@${gone}`)).body).toHaveLength(1);
  });

  it('a domain is found again by every filter, and its name by any of its labels', async () => {
    const { acme, remove, api } = names;
    const { gone } = await names.twoDomains();
    await remove(acme, gone);
    await names.restore(acme, await names.deletedId(acme, gone)).expect(200);
    const label = gone.split('.')[0] ?? '';
    expect((await api.as(acme).get(`/domains/?q=${label}.ex`).expect(200)).body).toMatchObject([{ name: gone }]);
    const copies = ['mailbox', 'alias', 'verification'].map((table) =>
      names.rows(
        `SELECT COUNT(*) AS n FROM ${table} WHERE partner_id <> (SELECT partner_id FROM domain d WHERE d.id = ${table}.domain_id) OR partner_id IS NULL`,
      ),
    );
    expect((await Promise.all(copies)).flat().map(({ n }) => Number(n))).toEqual([0, 0, 0]);
  });

  it('every restoration writes one audit row, and all counts are right', async () => {
    const { acme, remove, api } = names;
    const { gone } = await names.twoDomains();
    await names.deleteMailbox(acme, `b@${gone}`);
    await names.restore(acme, await names.deletedId(acme, `b@${gone}`)).expect(200);
    await remove(acme, gone);
    await names.restore(acme, await names.deletedId(acme, gone)).expect(200);
    const { body } = await names.asMaster().get(`/audit?domain=${gone}`).expect(200);
    const restored = body.filter(({ action }: { action: string }) => action.endsWith('.restore'));
    expect(restored).toMatchObject([
      { action: 'mailbox.restore', subject: `b@${gone}`, partner_ref: 'acme', after: { aliases: 1, left_out: 0 } },
      { action: 'domain.restore', subject: gone, after: { mailboxes: 2, aliases: 3, left_out: 0 } },
    ]);
    expect(await api.container.get(CorrectCounts).execute({ remainder: 0, of: 1 })).toMatchObject({ counts_mended: 0 });
  });
});
