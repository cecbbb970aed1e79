import { describeStack } from './testing/describe-stack.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { WholeStack } from './testing/whole-stack.js';

interface Deleted {
  id: number;
  name: string;
}

describeStack('what was deleted and restored', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start();
  });

  afterAll(async () => {
    await stack?.stop();
  });

  async function restore(name: string): Promise<unknown> {
    const domain = name.slice(name.indexOf('@') + 1);
    const found = (await stack.acme.get(`/deleted?domain=${domain}`)) as unknown as Deleted[];
    const deleted = found.find((each) => each.name === name);
    return stack.acme.post(`/deleted/${deleted?.id ?? 0}/restore`);
  }

  it('a mailbox logs in with its old password, shows its old mail and gets new mail', async () => {
    const user = 'una@acme.test';
    await addMailboxes(stack.acme, user);
    await stack.receive({ to: user, subject: 'before' });
    await stack.rig.arrival(user, 'before');
    await stack.acme.delete(`/users/${user}`);
    expect(await stack.login(user, PASSWORD)).toContain('AUTHENTICATIONFAILED');
    expect(await stack.receive({ to: user })).toMatchObject({ code: 550 });

    expect(await restore(user)).toMatchObject({ email: user, left_out: [] });
    const imap = await stack.rig.imap();
    await imap.login(user, PASSWORD);
    await imap.logout();
    expect(await stack.rig.inbox(user)).toEqual(['before']);
    await stack.receive({ to: user, subject: 'after' });
    await stack.rig.arrival(user, 'after');
    expect((await stack.rig.inbox(user)).sort()).toEqual(['after', 'before']);
  });

  it('a domain gets mail again for its mailboxes and its aliases, and no run removes the old mail', async () => {
    const user = 'ben@back.test';
    await addDomain(stack.acme, 'back.test');
    await addMailboxes(stack.acme, user);
    await stack.acme.post('/aliases/', { address: '@back.test', destination: user });
    await stack.receive({ to: user, subject: 'before' });
    await stack.rig.arrival(user, 'before');
    await stack.acme.delete('/domains/back.test');
    expect(await stack.receive({ to: user })).toMatchObject({ code: 554 });

    expect(await restore('back.test')).toMatchObject({ name: 'back.test', mailboxes: 1, aliases: 1, left_out: [] });
    await stack.platform.master.post('/jobs/deleted-mail.remove/run');
    await stack.receive({ to: 'anyone@back.test', subject: 'by the catch-all' });
    await stack.rig.arrival(user, 'by the catch-all');
    expect((await stack.rig.inbox(user)).sort()).toEqual(['before', 'by the catch-all']);
    const imap = await stack.rig.imap();
    await imap.login(user, PASSWORD);
    await imap.logout();
  });
});
