import type { ApiCaller } from './testing/api-caller.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { SentMessage } from './testing/smtp-client.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const ANN = 'ann@suppressing.test';
const GONE = 'gone@elsewhere.test';

describeStack('mail to suppressed recipients, with the real policy daemon,', () => {
  let stack: WholeStack<MailsteadProcess>;
  let partner: ApiCaller;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon({ ownDatabase: true });
    partner = await stack.platform.partner('suppressing');
    await addDomain(partner, 'suppressing.test');
    await addMailboxes(partner, ANN);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const send = async (to: string[], subject: string): Promise<SentMessage> => {
    const client = await stack.rig.submission();
    await client.login(ANN, PASSWORD);
    const sent = await client.send({ from: ANN, to, subject });
    await client.quit();
    return sent;
  };
  const codes = ({ recipients }: SentMessage) => recipients.map(({ code }) => code);
  const relayedTo = (subject: string) =>
    stack.rig.relays[0].messages.filter(({ text }) => text.includes(subject)).flatMap(({ to }) => to);
  const sentToday = async () => (await partner.get('/domains/suppressing.test/outbound')).sent_today;
  /** A message to eleven others and, as the tenth recipient, the suppressed one. */
  const twelve = Array.from({ length: 11 }, (_, index) => `r${index}@elsewhere.test`).toSpliced(9, 0, GONE);

  it('passes while suppressions are only listed, is refused at RCPT with `refuse`, and passes when it is lifted', async () => {
    const made = { address: 'GONE@elsewhere.test', domain: 'suppressing.test' };
    const { id, since } = await partner.post('/suppressions', made);
    const day = String(since).slice(0, 'YYYY-MM-DD'.length);
    expect(codes(await send([GONE], 'listed only'))).toEqual([250]);
    await until('the listed one to be relayed', async () => relayedTo('listed only').length === 1);

    await partner.put('/me/suppressions', { mode: 'refuse' });
    // The daemon may remember the headroom of the first preview for 2 s.
    let passed = 0;
    const refused = await until('the refusal', async () => {
      const [recipient] = (await send(['Gone@Elsewhere.test'], 'refused alone')).recipients;
      if (recipient?.code !== 250) return recipient;
      passed += 1;
      return null;
    });
    expect(refused).toEqual({
      code: 550,
      text: expect.stringMatching(
        new RegExp(
          `^5\\.1\\.1 .*suppressing\\.test does not send to this address since ${day}; .*\\[recipient_suppressed\\]$`,
        ),
      ),
    });

    const before = await sentToday();
    const many = await send(twelve, 'the tenth one');
    expect(codes(many)).toEqual(twelve.map((recipient) => (recipient === GONE ? 550 : 250)));
    expect(many.reply.code).toBe(250);
    await until('the others to be relayed', async () => relayedTo('the tenth one').length === 11);
    expect(relayedTo('the tenth one').toSorted()).toEqual(twelve.filter((each) => each !== GONE).toSorted());
    expect(await sentToday()).toBe(Number(before) + 11);

    await partner.delete(`/suppressions/${String(id)}`);
    expect(codes(await send([GONE], 'lifted'))).toEqual([250]);
    await until('the lifted one to be relayed', async () => relayedTo('lifted').length === 1);
    await until('no more than the accepted ones', async () => relayedTo('refused alone').length === passed);
  });
});
