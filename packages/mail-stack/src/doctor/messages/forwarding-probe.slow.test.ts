import { writeFile } from 'node:fs/promises';
import { describeStack } from '../../testing/describe-stack.js';
import type { MailsteadProcess } from '../../testing/mailstead-process.js';
import { addDomain, addMailboxes, PASSWORD, POLICY_TOKEN } from '../../testing/platform.js';
import { SrsStandIn } from '../../testing/srs-stand-in.js';
import { WholeStack } from '../../testing/whole-stack.js';
import { examine } from '../examine.js';
import { examineMessages } from './examine-messages.js';

const DOCTOR = 'doctor@house.test';
const SRS_DOMAIN = 'srs.rig.test';

describeStack('the doctor’s messages while the mail servers forward', () => {
  let stack: WholeStack<MailsteadProcess>;
  let tables: SrsStandIn[] = [];

  beforeAll(async () => {
    tables = await Promise.all(
      (['forward', 'reverse'] as const).map(async (way) => await SrsStandIn.start(SRS_DOMAIN, way)),
    );
    const [senders, recipients] = tables;
    stack = await WholeStack.startWithDaemon({
      doctorMailbox: DOCTOR,
      environment: { ALLOW_EXTERNAL_FORWARD: 'true' },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: senders?.table, recipientMap: recipients?.table } },
    });
    await addDomain(stack.platform.master, 'house.test');
    await addMailboxes(stack.platform.master, DOCTOR);
    const { doctor } = stack.rig.settings;
    await writeFile(doctor.passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
    await writeFile(doctor.tokenFile, `POLICY_TOKEN=${POLICY_TOKEN}\n`, { mode: 0o600 });
  });

  afterAll(async () => {
    await stack?.stop();
    await Promise.all(tables.map(async (table) => await table.stop()));
  });

  it('arrive through each port, and that through port 25 is not counted as forwarded mail', async () => {
    expect((await examineMessages(stack.rig.settings)).map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
      ['ok', `A message through port ${stack.rig.ports.mx} arrived.`],
      ['ok', `A message of ${DOCTOR} through port ${stack.rig.ports.submission} arrived.`],
      ['ok', `A message of ${DOCTOR} through port ${stack.rig.ports.submissions} arrived.`],
      ['ok', `The messages of ${DOCTOR} were counted.`],
    ]);
    const counts = { sent_today: 2, forwarded_today: 0 };
    expect(await stack.platform.master.get('/domains/house.test/outbound')).toMatchObject(counts);
    expect(await stack.rig.queue()).toEqual([]);
  });

  it('and its other checks find nothing wrong', async () => {
    expect(await stack.platform.holdQueues({ stamp: stack.rig.settings.doctor.holdsStamp ?? '' })).toBe(0);
    const outages = await stack.platform.startOutages(stack.rig.settings.doctor.outagesState ?? '');
    const wrong = (await examine(stack.rig.settings)).filter(({ verdict }) => verdict === 'wrong');
    await outages.stop();
    expect(wrong.map(({ sentence }) => sentence)).toEqual([]);
  });
});
