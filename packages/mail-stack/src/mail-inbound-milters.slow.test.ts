import { describeStack } from './testing/describe-stack.js';
import { MilterStandIn } from './testing/milter-stand-in.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';

describeStack('a milter of port 25', () => {
  let stack: WholeStack<PolicyStandIn>;
  let filter: MilterStandIn;

  beforeAll(async () => {
    filter = await MilterStandIn.start();
    const extra = ['smtpd_client_message_rate_limit = 1000'];
    stack = await WholeStack.start({ settings: { inboundMilters: [filter.address] }, extra });
  });
  afterAll(async () => {
    await stack?.stop();
    await filter?.stop();
  });

  it('sees mail from outside and not that of users, and may refuse it', async () => {
    expect(await stack.receive({ to: ALICE, subject: 'filtered' })).toMatchObject({ code: 250 });
    expect(filter.ended).toBe(1);
    await stack.rig.arrival(ALICE, 'filtered');
    await stack.submit(ALICE, { from: ALICE, to: 'bob@acme.test', subject: 'own' });
    await stack.rig.arrival('bob@acme.test', 'own');
    expect(filter.ended).toBe(1);
    filter.answer = 'tempfail';
    expect(String((await stack.receive({ to: ALICE })).code)).toMatch(/^4/);
  });

  it('is passed over while it does not answer', async () => {
    await filter.stop();
    expect(await stack.receive({ to: ALICE, subject: 'unfiltered' })).toMatchObject({ code: 250 });
    await stack.rig.arrival(ALICE, 'unfiltered');
  });

  it('stands beside the operator’s own lines, which Postfix uses', async () => {
    const { configDirectory, submissionInstance } = stack.rig.settings.postfix;
    for (const directory of [configDirectory, submissionInstance.configDirectory]) {
      const set = await stack.rig.postfixAt(directory, 'postconf', '-h', 'smtpd_client_message_rate_limit');
      expect(set).toBe('1000\n');
    }
  });
});
