import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { describeSchema } from '@mailstead/adapters/database/testing/described-schema';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { MaildirStore } from '@mailstead/adapters/maildir/maildir-store';
import { ScratchMaildir } from '@mailstead/adapters/maildir/testing/scratch-maildir';
import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { KeepTrailDays } from '@mailstead/core/trail/keep-trail-days';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { DeletionSteps } from '../testing/deletion-steps.js';
import { bounceOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

const OUTSIDER = 'outsider@elsewhere.example';

/** What docs/personal-data.md says of the database after the erasure of a person. */
onHttpDatabase((kind) => {
  let api: TestApi;
  let mail: ScratchMaildir;
  let acme: string;
  let person: string;

  beforeAll(async () => {
    mail = await ScratchMaildir.create();
    const environment = { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, ALLOW_EXTERNAL_FORWARD: 'true' };
    api = await startTestApi(kind, environment, {}, new MaildirStore({ root: mail.root }));
    await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
    acme = await api.key('acme');
    const steps = new DeletionSteps(api, mail);
    const { name, email } = await steps.mailboxWithMail(acme, 1);
    person = email;
    const ago = (ms: number) => new Date(api.clock.now().getTime() - ms).toISOString();
    const alias = (address: string, destination: string) =>
      api
        .as(acme)
        .post('/aliases/', { address, destination })
        .set('Idempotency-Key', `alias-${address.split('@')[0]}`)
        .expect(201);
    await api.as(acme).put(`/users/${email}`, { name: 'Jane Person' }).expect(200);
    await alias(`sales@${name}`, email);
    await alias(`own@${name}`, OUTSIDER);
    const item = { domain: name, sender: email, id: 'x', record: true };
    await api
      .as(POLICY)
      .post('/outbound/increments', { items: [item] })
      .expect(200);
    const step = { host: 'mx1.example', queue_id: 'Q1', at: ago(HOUR_MS), step: 'accepted', direction: 'out' };
    const row = { ...step, domain: name, sender: email, recipient: OUTSIDER, size: 1, message_id: '<1@x>' };
    await api
      .as(POLICY)
      .post('/outbound/trail', { items: [row] })
      .expect(202);
    api.clock.advance(1_000);
    const event = bounceOf(name, [OUTSIDER], { at: api.clock.now() });
    const told = { ...event, mail: { ...event.mail, source: email } };
    expect(await postSigned(api.url, told, { at: api.clock.now() })).toBe(200);
    await api.container.get(ProcessRelayEvents).execute();
    await api.as(acme).post('/suppressions', { domain: name, address: OUTSIDER });
    await steps.deleteMailbox(acme, email);
    await steps.erase(acme, await steps.idOf(acme, email)).expect(204);
    await api.container.get(RemoveDeletedMail).execute();
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  /** The tables with a row that has the text; days of trails count as one table. */
  async function tablesWith(text: string): Promise<string[]> {
    const { rows } = await describeSchema(api.database);
    const found = [...rows].filter(([, each]) => JSON.stringify(each).toLowerCase().includes(text.toLowerCase()));
    return [...new Set(found.map(([table]) => table.replace(/^trail_day_\d+$/, 'trail')))].toSorted((a, b) =>
      a.localeCompare(b),
    );
  }

  /** Everything that deletes by age, which the hour of the day does not change. */
  async function tidy(days: number): Promise<void> {
    const dueAt = new Date(api.clock.now().getTime() + days * DAY_MS);
    api.clock.set(dueAt);
    // Events are dropped once they have their positions, which no process gives here.
    await api.container.get(EventPositioner).giveAll();
    await api.container.get(Housekeeping).execute({ period: { key: dueAt.toISOString(), dueAt } });
    await api.container.get(RemoveDeletedMail).execute();
    await api.container.get(KeepTrailDays).execute();
  }

  it('is left where the page says, without the name and the aliases', async () => {
    expect(await tablesWith('Jane Person')).toEqual(['audit_log']);
    expect(await tablesWith(person)).toEqual([
      'audit_log',
      'bounce',
      'idempotency',
      'outbound_sender',
      'relay_event',
      'tombstone',
      'trail',
    ]);
  });

  it('is gone after the times that the page names', async () => {
    await tidy(2);
    const early = await tablesWith(person);
    for (const table of ['idempotency', 'tombstone']) expect(early).not.toContain(table);
    await tidy(5);
    expect(await tablesWith(person)).not.toContain('trail');
    await tidy(29);
    expect(await tablesWith(person)).toEqual(['audit_log', 'outbound_sender']);
    await tidy(5);
    expect(await tablesWith(person)).toEqual(['audit_log']);
    expect(await tablesWith(OUTSIDER)).toEqual(['alias', 'audit_log', 'suppression']);
    await tidy(400);
    expect(await tablesWith(person)).toEqual([]);
    // What somebody wrote by hand stays until it is deleted.
    expect(await tablesWith(OUTSIDER)).toEqual(['alias', 'suppression']);
  });

  it('and an outside person is gone after the times, once what somebody wrote by hand is deleted', async () => {
    const [row] = (await api.as(acme).get(`/suppressions?q=${OUTSIDER}`).expect(200)).body as { id: number }[];
    await api.as(acme).delete(`/suppressions/${row?.id}`).expect(204);
    await api
      .as(acme)
      .delete(`/aliases/own@${person.split('@')[1] ?? ''}`)
      .expect(204);
    await tidy(401);
    expect(await tablesWith(OUTSIDER)).toEqual([]);
  });

  it('of a partner that left, its reference, lists and addresses stay until the operator deletes them', async () => {
    const refused = 'refused@far.example';
    const key = await api.key('leaver');
    const master = api.as(MASTER);
    await api.as(key).post('/domains/', { name: 'goes.example' }).expect(201);
    await api.as(key).put('/me/brand', { name: 'Leaver Brand' }).expect(200);
    await api.as(key).post('/suppressions', { address: refused }).expect(201);
    await api.as(key).post('/webhook-endpoints', { url: 'https://hooks.goes.example/' }).expect(201);
    await master.put('/partners/leaver', { name: 'Wanderer' }).expect(200);
    await api.as(key).delete('/domains/goes.example').expect(204);
    await master.delete(`/api-keys/${key}`).expect(204);
    await tidy(100);
    // A deletion of a domain is forgotten, then what the partner shows its customers.
    await tidy(401);
    expect(await tablesWith('Leaver Brand')).toEqual([]);
    expect(await tablesWith('Wanderer')).toEqual(['partner', 'partner_word']);
    expect(await tablesWith(refused)).toEqual(['suppression']);
    expect(await tablesWith('hooks.goes.example')).toEqual(['webhook_endpoint']);
    const [suppression] = (await master.get(`/suppressions?q=${refused}`).expect(200)).body as { id: number }[];
    await master.delete(`/suppressions/${suppression?.id}`).expect(204);
    const [endpoint] = (await master.get('/webhook-endpoints?partner_ref=leaver').expect(200)).body as { id: number }[];
    await master.delete(`/webhook-endpoints/${endpoint?.id}`).expect(204);
    await master.put('/partners/leaver', { name: null }).expect(404);
    const again = await api.key('leaver');
    await master.put('/partners/leaver', { name: null }).expect(200);
    await master.delete(`/api-keys/${again}`).expect(204);
    await tidy(401);
    for (const text of [refused, 'hooks.goes.example', 'Wanderer']) expect(await tablesWith(text)).toEqual([]);
    expect(await tablesWith('leaver')).toEqual(['partner', 'partner_word']);
  });
});
