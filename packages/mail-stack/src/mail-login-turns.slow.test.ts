import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addMailboxes, PASSWORD } from './testing/platform.js';
import { WholeStack } from './testing/whole-stack.js';

/** bcrypt of PASSWORD with cost 14, a second of processor time, as an earlier release stored it. */
const COSTLY_HASH = '$2b$14$N9qo8uLOickgx2ZMRZoMyeTBGKfVmqkq6RiP/tnU.Rz96IKH5ho1a';
/** More than Dovecot has processes for password checks (30). */
const FLOOD = 40;
/** Password checks of one mailbox that run at once. */
const RUNNING = 2;
/** Another client than the one of the flood, which has the default address. */
const OTHER_CLIENT = '127.0.0.3';

type Fate = 'checked' | 'refused';

describeStack('many logins to one mailbox whose hash is costly', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
    const { database } = stack.rig.services;
    await addMailboxes(stack.acme, 'dear@acme.test');
    await database.query('UPDATE mailbox SET password_hash = ? WHERE email = ?', [COSTLY_HASH, 'dear@acme.test']);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  /** @returns whether the password was checked, or the login refused before. */
  function fateOf(text: string): Fate {
    return text.includes('Too many logins') ? 'refused' : 'checked';
  }

  async function byImap(user: string, password: string, client?: string): Promise<{ ok: boolean; text: string }> {
    const imap = await stack.rig.imap(client);
    const { ok, text } = await imap.login(user, password);
    imap.close();
    return { ok, text };
  }

  async function bySubmission(user: string, password: string, client?: string): Promise<{ ok: boolean; text: string }> {
    const smtp = await stack.rig.submission(client);
    const { code, text } = await smtp.login(user, password);
    smtp.close();
    return { ok: code === 235, text };
  }

  /** Begins right and wrong logins by IMAP and submission. @returns what became of each, as it becomes known. */
  function flood(): { fates: Fate[]; first: Promise<unknown>; all: Promise<unknown> } {
    const fates: Fate[] = [];
    const logins = Array.from({ length: FLOOD }, async (_, index) => {
      const logIn = index % 2 === 0 ? byImap : bySubmission;
      const { text } = await logIn('dear@acme.test', index % 4 < 2 ? PASSWORD : 'a wrong password');
      fates.push(fateOf(text));
    });
    return { fates, first: Promise.race(logins), all: Promise.all(logins) };
  }

  it.each([
    ['IMAP', byImap],
    ['submission', bySubmission],
  ])('let a login of another partner by %s wait for no more checks than run at once', async (_, logIn) => {
    const { fates, first, all } = flood();
    await first;
    const checks = () => fates.filter((fate) => fate === 'checked').length;
    const before = checks();
    expect(await logIn('carol@beta.test', PASSWORD, OTHER_CLIENT)).toMatchObject({ ok: true });
    const during = checks() - before;
    await all;
    expect(during).toBeLessThanOrEqual(RUNNING);
    // All turns of the mailbox were used, and logins without a turn were refused: the test means something.
    expect([checks() >= RUNNING, fates.includes('refused')]).toEqual([true, true]);
  });

  it('log in also while the policy daemon is away', async () => {
    await stack.policy.stop();
    expect(await byImap('carol@beta.test', PASSWORD)).toMatchObject({ ok: true });
    expect(await byImap('carol@beta.test', 'a wrong password')).toMatchObject({ ok: false });
    expect(await stack.rig.logs()).toContain('Policy server HTTP error');
  });
});
