import type { ApiCaller } from './testing/api-caller.js';
import { describeStack } from './testing/describe-stack.js';
import { OpenSession, SESSION_KINDS, type SessionKind } from './testing/open-session.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const OTHER_PASSWORD = 'another horse battery';
const CAROL = 'carol@beta.test';
const PARENT = 'above.test';

interface Change {
  /** What the document says of a new login. */
  refused: RegExp;
  /** Whether the other mailboxes of the domain lose the right too. */
  isOfDomain: boolean;
  make: (name: string) => Promise<unknown>;
}

/** The rows of "The end of open sessions" in docs/mail-stack.md, section 8, for IMAP and POP3. */
describeStack('an open session', () => {
  let stack: WholeStack<PolicyStandIn>;
  let master: ApiCaller;
  let acme: ApiCaller;
  const bystanders: OpenSession[] = [];

  beforeAll(async () => {
    stack = await WholeStack.start();
    master = stack.platform.master;
    acme = stack.acme;
    bystanders.push(...(await openAll(CAROL)));
  });

  afterAll(async () => {
    for (const session of bystanders) session.close();
    await stack?.stop();
  });

  const openAll = (user: string, password = PASSWORD): Promise<OpenSession[]> =>
    Promise.all(SESSION_KINDS.map((kind) => OpenSession.open(stack.rig, kind, user, password)));
  const refusal = (kind: SessionKind, user: string, password = PASSWORD): Promise<string> =>
    OpenSession.open(stack.rig, kind, user, password).then(
      () => 'logged in',
      (error: Error) => error.message,
    );
  /** Until the second jobs, which end logins that were under way, have run. */
  const settled = () =>
    until('the jobs that end sessions', async () => {
      const waiting = await stack.rig.services.database.query("SELECT id FROM job WHERE name = 'mail-sessions.end'");
      return waiting.length === 0;
    });

  const REVOKED: Record<string, Change> = {
    'another password': {
      refused: /AUTHENTICATIONFAILED|\[AUTH\]/,
      isOfDomain: false,
      make: (name) => acme.put(`/users/vic@${name}`, { password: OTHER_PASSWORD }),
    },
    'a disabled mailbox': {
      refused: /Mailbox disabled/,
      isOfDomain: false,
      make: (name) => acme.put(`/users/vic@${name}`, { active: false }),
    },
    'a deleted mailbox': {
      refused: /AUTHENTICATIONFAILED|\[AUTH\]/,
      isOfDomain: false,
      make: (name) => acme.delete(`/users/vic@${name}`),
    },
    'an erased mailbox': {
      refused: /AUTHENTICATIONFAILED|\[AUTH\]/,
      isOfDomain: false,
      make: async (name) => {
        await acme.delete(`/users/vic@${name}`);
        const [deleted] = Object.values(await acme.get(`/deleted/?domain=${name}`)) as { id: number }[];
        await acme.post(`/deleted/${deleted?.id}/erase`);
      },
    },
    'a suspended domain': {
      refused: /Domain suspended/,
      isOfDomain: true,
      make: (name) => acme.put(`/domains/${name}/suspend`),
    },
    'a closed domain': {
      refused: /AUTHENTICATIONFAILED|\[AUTH\]/,
      isOfDomain: true,
      make: (name) => master.put(`/domains/${name}/inbound`, { inbound: 'pending' }),
    },
    'a deleted domain': {
      refused: /AUTHENTICATIONFAILED|\[AUTH\]/,
      isOfDomain: true,
      make: (name) => acme.delete(`/domains/${name}`),
    },
    'a parent that is suspended for abuse': {
      refused: /Domain suspended/,
      isOfDomain: true,
      make: async (name) => {
        await addDomain(acme, PARENT);
        await master.put(`/domains/${name}/parent`, { parent: PARENT });
        await master.put(`/domains/${PARENT}/suspend`, { cause: 'abuse' });
      },
    },
  };

  it.each(Object.entries(REVOKED))('ends after %s, and no other one', async (change, { refused, isOfDomain, make }) => {
    const name = `${change.replaceAll(' ', '-')}.${PARENT}`;
    const [victim, colleague] = [`vic@${name}`, `col@${name}`];
    await addDomain(acme, name);
    await addMailboxes(acme, victim, colleague);
    const [ending, beside] = await Promise.all([openAll(victim), openAll(colleague)]);
    await make(name);
    await Promise.all((isOfDomain ? [...ending, ...beside] : ending).map((session) => session.ended()));
    for (const kind of SESSION_KINDS) expect(await refusal(kind, victim)).toMatch(refused);
    bystanders.push(...(isOfDomain ? [] : beside));
    for (const session of bystanders) await session.goesOn();
  });

  it('with another password begins and goes on', async () => {
    await settled();
    const sessions = await openAll(`vic@another-password.${PARENT}`, OTHER_PASSWORD);
    for (const session of [...bystanders, ...sessions]) await session.goesOn();
  });

  it('goes on after changes that take no right away, and ends after the suspension of the partner, stage `all`', async () => {
    const staged = await stack.platform.partner('staged');
    await addDomain(acme, 'moved.test');
    await addMailboxes(acme, 'ann@moved.test');
    await addDomain(staged, 'staged.test');
    await addMailboxes(staged, 'ben@staged.test');
    const sessions = [...(await openAll('ann@moved.test')), ...(await openAll('ben@staged.test'))];
    await master.put('/domains/moved.test/partner', { partner_ref: 'staged' });
    await staged.put('/users/ben@staged.test', { name: 'Ben', active: true, outbound_daily_limit: 7 });
    await staged.put('/users/ben@staged.test', { password: PASSWORD });
    await master.put('/partners/staged/suspend', { cause: 'billing', stage: 'changes' });
    await settled();
    for (const session of [...bystanders, ...sessions]) await session.goesOn();
    expect(await refusal('IMAP', 'ben@staged.test')).toBe('logged in');
    await master.put('/partners/staged/suspend', { cause: 'abuse', stage: 'all' });
    await Promise.all(sessions.map((session) => session.ended()));
    for (const kind of SESSION_KINDS) expect(await refusal(kind, 'ben@staged.test')).toMatch(/Domain suspended/);
    await settled();
    for (const session of bystanders) await session.goesOn();
  });

  it('ends also when the worker was stopped during the change', async () => {
    const sessions = await openAll('alice@acme.test');
    await stack.platform.worker.stop();
    await acme.put('/users/alice@acme.test', { active: false });
    for (const session of sessions) await session.goesOn();
    await stack.platform.worker.start();
    await Promise.all(sessions.map((session) => session.ended()));
  });
});
