import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { MASTER } from '../testing/api-fixture.js';
import { type RestorationSteps, rowWithout, startRestorationSteps } from '../testing/restoration-steps.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  let names: RestorationSteps;

  beforeAll(async () => {
    names = await startRestorationSteps(kind);
  });
  afterAll(() => names.api.close());

  it('a mailbox comes back with every column, its id, its password and its home, and with its aliases', async () => {
    const { acme, api } = names;
    const { gone, stays } = await names.twoDomains();
    const before = await names.mailboxRow(`b@${gone}`);
    const aliases = await names.rows('SELECT * FROM alias WHERE destination = ?', `b@${gone}`);
    await names.deleteMailbox(acme, `b@${gone}`);
    const [deletion] = await names.listed(acme, gone);
    expect(deletion).toMatchObject({ kind: 'mailbox', name: `b@${gone}`, mailboxes: 1, aliases: 1 });
    const { body } = await names.restore(acme, deletion?.id ?? 0).expect(200);
    expect(body).toMatchObject({ id: before.id, email: `b@${gone}`, active: true, left_out: [] });
    const after = await names.mailboxRow(`b@${gone}`);
    expect(rowWithout(after, 'restored_at')).toEqual(rowWithout(before, 'restored_at'));
    expect(before.password_hash).toBe(HASH);
    const restored = await names.rows('SELECT * FROM alias WHERE destination = ?', `b@${gone}`);
    expect(restored.map((row) => rowWithout(row, 'restored_at'))).toEqual(
      aliases.map((row) => rowWithout(row, 'restored_at')),
    );
    expect((await api.as(acme).get(`/domains/${gone}`)).body).toMatchObject({ mailboxes: 2, aliases: 2 });
    expect((await api.as(acme).get(`/domains/${stays}`)).body).toMatchObject({ mailboxes: 1, aliases: 1 });
    expect(await names.listed(acme, gone)).toEqual([]);
  });

  it('a mailbox is refused while its address is a mailbox or an alias, and nothing is lost', async () => {
    const { acme, mailbox } = names;
    const { gone } = await names.twoDomains();
    await names.deleteMailbox(acme, `b@${gone}`);
    const first = await names.deletedId(acme, `b@${gone}`);
    const again = await mailbox(acme, `b@${gone}`);
    expect((await names.restore(acme, first).expect(400)).body).toMatchObject({ detail: 'Mailbox already exists' });
    await names.deleteMailbox(acme, `b@${gone}`);
    await names.alias(acme, `b@${gone}`, `a@${gone}`);
    expect((await names.restore(acme, first).expect(400)).body).toMatchObject({ code: 'address_in_use' });
    await names.api.as(acme).delete(`/aliases/b@${gone}`).expect(204);
    expect((await names.restore(acme, first).expect(200)).body.id).not.toBe(again.body.id);
    expect((await names.listed(acme, gone)).map(({ name }) => name)).toEqual([`b@${gone}`]);
  });

  it('a mailbox counts like a created one: a full domain refuses it, except for master', async () => {
    const { acme, api } = names;
    const { gone } = await names.twoDomains();
    await names.deleteMailbox(acme, `b@${gone}`);
    const limited = await api.key('acme', { mailboxes_per_domain: 1 });
    const id = await names.deletedId(acme, `b@${gone}`);
    const { body } = await names.restore(limited, id).expect(403);
    expect(body).toMatchObject({ detail: 'Mailbox quota exceeded', limit: 1, used: 1 });
    await names.restore(MASTER, id).expect(200);
  });

  it.each([
    ['a client', 'acme', 0, 2_000],
    ['a client', 'acme', 5_000, 2_000],
    ['a client', 'acme', 1_999, 1_999],
    ['master', MASTER, 0, 0],
    ['master', MASTER, 5_000, 5_000],
  ])(
    'restored by %s (%s) has its quota %i cut to %i, what the caller may set today',
    async (_, by, quota, expected) => {
      const { acme, mailbox, aName, create } = names;
      const name = aName();
      await create(acme, name);
      await mailbox(MASTER, `a@${name}`, { quota_mb: quota });
      await names.deleteMailbox(acme, `a@${name}`);
      const { body } = await names
        .restore(by === 'acme' ? acme : by, await names.deletedId(acme, `a@${name}`))
        .expect(200);
      expect(body.quota_mb).toBe(expected);
    },
  );

  it('a mailbox leaves out aliases whose domain is gone or whose address is a mailbox now, and a repeat says so again', async () => {
    const { acme, mailbox, remove } = names;
    const { gone, stays } = await names.twoDomains();
    const third = names.aName();
    await names.create(acme, third);
    await names.alias(acme, `z@${third}`, `b@${gone}`);
    await names.alias(acme, `w@${gone}`, `b@${gone}`);
    await names.deleteMailbox(acme, `b@${gone}`);
    await remove(acme, third);
    await mailbox(acme, `y@${stays}`);
    const id = await names.deletedId(acme, `b@${gone}`);
    const { body } = await names.restore(acme, id).expect(200);
    expect(body.left_out).toEqual([
      { address: `y@${stays}`, destination: `b@${gone}` },
      { address: `z@${third}`, destination: `b@${gone}` },
    ]);
    expect((await names.restore(acme, id).expect(200)).body).toEqual(body);
    expect((await names.record(gone)).aliases).toBe(3);
    await names.deleteMailbox(acme, `b@${gone}`);
    await names.restore(acme, id).expect(404);
    await mailbox(acme, `b@${gone}`);
    await names.restore(acme, id).expect(404);
  });

  it('a mailbox comes back only into the same domain: not into one created anew, and again after the domain was restored', async () => {
    const { acme, remove, create } = names;
    const { gone } = await names.twoDomains();
    await names.deleteMailbox(acme, `b@${gone}`);
    const mailboxId = await names.deletedId(acme, `b@${gone}`);
    await remove(acme, gone);
    const domainId = await names.deletedId(acme, gone);
    expect((await names.restore(acme, mailboxId).expect(404)).body.code).toBe('domain_not_found');
    await create(acme, gone);
    expect((await names.restore(acme, mailboxId).expect(404)).body.code).toBe('domain_not_found');
    await remove(acme, gone);
    await names.restore(acme, domainId).expect(200);
    await names.restore(acme, mailboxId).expect(200);
    expect((await names.record(gone)).mailboxes).toBe(2);
  });

  it('a mailbox does not come back after its domain was moved, even when the domain was moved back', async () => {
    const { acme, rival, move, aName, create, mailbox } = names;
    const name = aName();
    await create(acme, name);
    await mailbox(acme, `a@${name}`);
    await names.deleteMailbox(acme, `a@${name}`);
    const id = await names.deletedId(acme, `a@${name}`);
    await move(name, 'rival');
    for (const token of [acme, rival, MASTER]) await names.restore(token, id).expect(404);
    await move(name, 'acme');
    for (const token of [acme, rival, MASTER]) {
      await names.restore(token, id).expect(404);
      expect(await names.listed(token, name)).toEqual([]);
    }
  });

  it('a mailbox comes back until the grace ends, and not from then on, even before the rows are erased', async () => {
    const { acme, api } = names;
    const { gone } = await names.twoDomains();
    for (const email of [`a@${gone}`, `b@${gone}`]) await names.deleteMailbox(acme, email);
    const [first, second] = [await names.deletedId(acme, `a@${gone}`), await names.deletedId(acme, `b@${gone}`)];
    api.clock.advance(7 * DAY_MS - 1);
    await names.restore(acme, first).expect(200);
    api.clock.advance(1);
    expect(await names.listed(acme, gone)).toEqual([]);
    expect((await names.restore(acme, second).expect(404)).body.code).toBe('deleted_not_found');
  });
});
