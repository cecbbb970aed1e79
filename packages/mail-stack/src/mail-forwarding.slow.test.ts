import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeStack } from './testing/describe-stack.js';
import { addAlias, addMailboxes } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { SmtpClient } from './testing/smtp-client.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const SRS_DOMAIN = 'srs.rig.test';
const FAR = 'far@elsewhere.test';

describeStack('aliases with outside destinations, on mail servers that forward', () => {
  let stack: WholeStack<PolicyStandIn>;
  let tables: [SrsStandIn, SrsStandIn];

  beforeAll(async () => {
    tables = [await SrsStandIn.start(SRS_DOMAIN, 'forward'), await SrsStandIn.start(SRS_DOMAIN, 'reverse')];
    const [senders, recipients] = tables;
    stack = await WholeStack.start({
      environment: { ALLOW_EXTERNAL_FORWARD: 'true' },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: senders.table, recipientMap: recipients.table } },
    });
    await addAlias(stack.acme, 'out@acme.test', FAR);
  });

  afterAll(async () => {
    await stack?.stop();
    await Promise.all(tables.map(async (table) => await table.stop()));
  });

  beforeEach(() => {
    stack.policy.requests.length = 0;
    stack.policy.answer = () => 'DUNNO';
    stack.milter.answer = 'continue';
  });

  const logged = async (pattern: RegExp): Promise<boolean> =>
    await until(`${pattern} in the log`, async () =>
      pattern.test(await readFile(join(stack.rig.folder, 'postfix.log'), 'utf8')),
    );

  it('forward mail from outside directly with a rewritten sender, after the policy daemon and the milter accepted', async () => {
    const before = stack.milter.ended;
    expect(await stack.receive({ to: 'out@acme.test' })).toMatchObject({ code: 250 });
    await logged(new RegExp(`from=<SRS0=\\S+@${SRS_DOMAIN}>`));
    await logged(new RegExp(`postfix/direct/smtp.*to=<${FAR}>, `));
    expect(stack.policy.requests).toMatchObject([
      { protocol_state: 'RCPT', recipient: 'out@acme.test', sasl_username: '', policy_context: 'mx.rig.test' },
    ]);
    expect(stack.milter.ended).toBe(before + 1);
    expect(stack.rig.relays[0].messages).toEqual([]);
  });

  it('leave its own sender to the copy that stays here', async () => {
    await addAlias(stack.acme, 'both@acme.test', FAR);
    await addAlias(stack.acme, 'both@acme.test', 'alice@acme.test');
    await stack.receive({ to: 'both@acme.test', from: 'writer@elsewhere.test', subject: 'both ways' });
    await stack.rig.arrival('alice@acme.test', 'both ways');
    await logged(new RegExp(`postfix/direct/smtp.*to=<${FAR}>, `));
    await stack.receive({ to: 'alice@acme.test', from: 'writer@elsewhere.test', subject: 'only here' });
    await stack.rig.arrival('alice@acme.test', 'only here');
    for (const subject of ['both ways', 'only here']) {
      const fields = await stack.rig.doveadm(
        'fetch',
        '-u',
        'alice@acme.test',
        'hdr.return-path',
        'header',
        'subject',
        subject,
      );
      expect(fields).toContain('<writer@elsewhere.test>');
    }
  });

  it('do not forward mail that the policy daemon or the milter defers', async () => {
    stack.policy.answer = () => '450 4.7.1 Too much is forwarded today';
    expect(await stack.receive({ to: 'out@acme.test' })).toMatchObject({
      code: 450,
      text: expect.stringContaining('Too much is forwarded'),
    });
    stack.policy.answer = () => 'DUNNO';
    stack.milter.answer = 'tempfail';
    expect((await stack.receive({ to: 'out@acme.test' })).code).toBe(451);
  });

  it('are checked by the policy daemon only after the local checks', async () => {
    expect(await stack.receive({ to: 'someone@elsewhere.test' })).toMatchObject({ code: 554 });
    expect(await stack.receive({ to: 'nobody@acme.test' })).toMatchObject({ code: 550 });
    expect(stack.policy.requests).toEqual([]);
  });

  it('forward a user’s mail by the relay, with the user’s own address as sender', async () => {
    const message = { from: 'alice@acme.test', to: 'out@acme.test', subject: 'by an alias' };
    expect(await stack.submit('alice@acme.test', message)).toMatchObject({ code: 250 });
    expect(await stack.rig.relays[0].arrival('by an alias')).toMatchObject({ from: 'alice@acme.test', to: [FAR] });
  });

  it('deliver to the mailbox when the destination’s domain is opened on this platform', async () => {
    await addAlias(stack.acme, 'later@acme.test', 'friend@later.test');
    await stack.platform.master.post('/domains/', { name: 'later.test', partner_ref: 'beta' });
    await stack.platform.master.put('/domains/later.test/inbound', { inbound: 'open' });
    await addMailboxes(stack.beta, 'friend@later.test');
    await stack.receive({ to: 'later@acme.test', subject: 'now here' });
    await stack.rig.arrival('friend@later.test', 'now here');
  });

  it('defer mail from outside while the milter is unavailable', async () => {
    await stack.milter.stop();
    const client = await SmtpClient.connect(stack.rig.ports.mx);
    expect(String((await client.send({ from: OUTSIDE, to: 'alice@acme.test' })).reply.code)).toMatch(/^4/);
    client.close();
  });
});
