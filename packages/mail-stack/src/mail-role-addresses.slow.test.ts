import { describeStack } from './testing/describe-stack.js';
import { addAlias, addDomain, addMailboxes } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { WholeStack } from './testing/whole-stack.js';

const OPERATOR = 'postmaster@rig.test';

describeStack('postmaster@ and abuse@ of a domain on the platform', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start();
  });
  afterAll(async () => {
    await stack?.stop();
  });

  it('are unknown while the postmaster of the settings is no address of the platform', async () => {
    expect((await stack.receive({ to: 'postmaster@acme.test' })).code).toBe(550);
    expect((await stack.receive({ to: 'abuse@acme.test' })).code).toBe(550);
  });

  describe('with a postmaster on the platform', () => {
    beforeAll(async () => {
      await addDomain(stack.platform.master, 'rig.test');
      await addMailboxes(stack.platform.master, OPERATOR);
    });

    const receive = async (to: string, subject: string): Promise<number> => (await stack.receive({ to, subject })).code;

    it('reach it when the domain has neither such an address nor a catch-all, in any case', async () => {
      expect(await receive('postmaster@beta.test', 'role 1')).toBe(250);
      expect(await receive('ABUSE@Beta.Test', 'role 2')).toBe(250);
      await stack.rig.arrival(OPERATOR, 'role 1');
      await stack.rig.arrival(OPERATOR, 'role 2');
      expect(await receive('root@beta.test', 'role 3')).toBe(550);
    });

    it('reach the domain’s own mailbox, alias or catch-all', async () => {
      await addMailboxes(stack.acme, 'postmaster@acme.test');
      await addAlias(stack.acme, 'abuse@acme.test', 'bob@acme.test');
      await addDomain(stack.acme, 'caught.test');
      await addAlias(stack.acme, '@caught.test', 'alice@acme.test');
      await receive('postmaster@acme.test', 'own mailbox');
      await receive('abuse@acme.test', 'own alias');
      await receive('abuse@caught.test', 'own catch-all');
      await stack.rig.arrival('postmaster@acme.test', 'own mailbox');
      await stack.rig.arrival('bob@acme.test', 'own alias');
      await stack.rig.arrival('alice@acme.test', 'own catch-all');
      // Two deliveries at the same time end in any order.
      expect((await stack.rig.inbox(OPERATOR)).toSorted()).toEqual(['role 1', 'role 2']);
    });

    it('give no right to send with such an address', async () => {
      const reply = await stack.submit(OPERATOR, { from: 'postmaster@beta.test', to: 'carol@beta.test' });
      expect(reply.code).toBe(553);
    });

    it('are deferred while the domain is suspended', async () => {
      await stack.beta.put('/domains/beta.test/suspend');
      expect(await receive('postmaster@beta.test', 'later')).toBe(450);
    });
  });

  it('and its other addresses: one copy for a mailbox that a message from outside names by several addresses', async () => {
    await addAlias(stack.acme, 'one@acme.test', 'alice@acme.test');
    await addAlias(stack.acme, 'two@acme.test', 'alice@acme.test', 'bob@acme.test');
    await stack.receive({ to: ['one@acme.test', 'two@acme.test', 'alice@acme.test'], subject: 'once' });
    await stack.rig.arrival('alice@acme.test', 'once');
    await stack.rig.arrival('bob@acme.test', 'once');
    expect(await stack.rig.queue()).toEqual([]);
    for (const mailbox of ['alice@acme.test', 'bob@acme.test']) {
      expect((await stack.rig.inbox(mailbox)).filter((subject) => subject === 'once')).toEqual(['once']);
    }
  });
});
