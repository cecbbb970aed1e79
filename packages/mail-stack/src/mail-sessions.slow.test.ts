import { limitComplaints } from './doctor/limit-complaints.js';
import { describeStack } from './testing/describe-stack.js';
import type { ImapClient } from './testing/imap-client.js';
import { inParallel } from './testing/in-parallel.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const MAILBOXES = 250;
/** Mail programs of a person: more than Dovecot's default limits let 25 people open. */
const SESSIONS_EACH = 4;
/** Sessions that wait for new mail. Linux lets one user have 128 by default, which other tests use too. */
const IDLE = 60;
const AT_ONCE = 20;

describeStack('1,000 sessions of 250 mailboxes', () => {
  let stack: WholeStack<PolicyStandIn>;
  /** With their mailboxes, in the order in which they were opened. */
  const sessions = new Map<ImapClient, string>();
  const addresses = Array.from({ length: MAILBOXES }, (_, index) => `user${index}@many.test`);

  beforeAll(async () => {
    stack = await WholeStack.start();
    await addDomain(stack.acme, 'many.test');
    await addMailboxes(stack.acme, ...addresses);
  });
  afterAll(async () => {
    for (const session of sessions.keys()) session.close();
    await stack?.stop();
  });

  it('are open at once in TLS, beside a delivery, a submission and a further login', async () => {
    const each = addresses.flatMap((address) => Array.from({ length: SESSIONS_EACH }, () => address));
    await inParallel(each, AT_ONCE, async (address) => {
      const session = await stack.rig.imap();
      sessions.set(session, address);
      expect(await session.login(address, PASSWORD)).toMatchObject({ ok: true });
      expect(await session.command('SELECT INBOX')).toMatchObject({ ok: true });
    });
    const [waiting, others] = [[...sessions].slice(0, IDLE), [...sessions.keys()].slice(IDLE)];
    for (const [session] of waiting) expect(await session.idle()).toBe('+ idling');

    for (const [session, owner] of waiting.slice(0, 1)) {
      expect(await stack.receive({ to: owner, subject: 'beside them' })).toMatchObject({ code: 250 });
      await stack.rig.arrival(owner, 'beside them');
      // Dovecot also says from time to time that it is still there.
      while ((await session.nextLine()) !== '* 1 EXISTS');
      expect(await stack.submit(owner, { from: owner, to: OUTSIDE })).toMatchObject({ code: 250 });
    }
    expect(await stack.login('carol@beta.test', PASSWORD)).toBe('OK');

    await inParallel(others, AT_ONCE, async (session) => {
      expect(await session.command('NOOP')).toMatchObject({ ok: true });
    });
    expect(sessions.size).toBe(MAILBOXES * SESSIONS_EACH);
    expect(limitComplaints((await stack.rig.logs()).split('\n'))).toEqual([]);
  });
});
