import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias } from './testing/platform.js';
import { type RelayedMessage, RelayStandIn } from './testing/relay-stand-in.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const CAROL = 'carol@beta.test';
const SRS_DOMAIN = 'srs.rig.test';
/** Fields for SES in all forms that reach a mail server, and one that only begins like them. */
const FORGED = [
  'X-SES-CONFIGURATION-SET: forged',
  'x-Ses-Message-Tags: mailstead=forged,',
  '\tpartner=forged',
  'X-SES-TENANT : forged',
  'X-SES-SOURCE-ARN:',
  ' forged',
  'X-Sesame: kept',
];

describeStack('header fields for SES on real mail servers, with a default relay of kind ses and another one', () => {
  let stack: WholeStack<MailsteadProcess>;
  /** The server of all outside recipients of forwarded mail. */
  let outside: RelayStandIn;
  let tables: SrsStandIn[];

  beforeAll(async () => {
    const [senders, recipients] = [
      await SrsStandIn.start(SRS_DOMAIN, 'forward'),
      await SrsStandIn.start(SRS_DOMAIN, 'reverse'),
    ];
    tables = [senders, recipients];
    stack = await WholeStack.startWithDaemon({
      defaultRelay: 'ses',
      environment: { ALLOW_EXTERNAL_FORWARD: 'true' },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: senders.table, recipientMap: recipients.table } },
    });
    const { rig } = stack;
    const { port } = rig.relays[1].settings;
    await rig.services.database.query(`INSERT INTO mta_relay_host VALUES ('beta.test', '[localhost]:${port}')`);
    outside = await RelayStandIn.start(rig.certificate, 'other', false);
    const mx = rig.settings.postfix.configDirectory;
    await rig.postfixAt(mx, 'postconf', '-e', `default_transport=direct:[127.0.0.1]:${outside.settings.port}`);
    await rig.postfixAt(mx, 'postfix', 'reload');
    await addAlias(stack.acme, 'out@acme.test', 'far@elsewhere.test');
  });

  afterAll(async () => {
    await stack?.stop();
    await outside?.stop();
    await Promise.all((tables ?? []).map(async (table) => await table.stop()));
  });

  const textOf = (from: string, subject: string) =>
    [`From: <${from}>`, `Subject: ${subject}`, ...FORGED, '', 'X-SES-IN-THE-BODY: kept', ''].join('\r\n');

  const fieldsFor = (header: string): string[] => header.split('\r\n').filter((line) => /^x-ses-|forged/i.test(line));

  function expectNoFields(text: string): void {
    const [header = '', body] = text.split('\r\n\r\n');
    expect(fieldsFor(header)).toEqual([]);
    expect(header).toContain('X-Sesame: kept');
    expect(body).toContain('X-SES-IN-THE-BODY: kept');
  }

  async function delivered(user: string, subject: string): Promise<string> {
    await stack.rig.arrival(user, subject);
    const text = await stack.rig.doveadm('fetch', '-u', user, 'text', 'mailbox', 'INBOX', 'subject', subject);
    return text.replace(/^text:\n/, '').replaceAll(/\r?\n/g, '\r\n');
  }

  /** Sends one message to Bob, who is on the platform, and to an outside recipient. */
  async function submit(user: string, subject: string, relay: RelayStandIn): Promise<RelayedMessage> {
    const message = { from: user, to: [BOB, OUTSIDE], text: textOf(user, subject) };
    expect(await stack.submit(user, message)).toMatchObject({ code: 250 });
    return await relay.arrival(subject);
  }

  it('SES’s copy has the tag of its queue file and no field of the sender, and the copy on the platform has none', async () => {
    const { text } = await submit(ALICE, 'by SES', stack.rig.relays[0]);
    const [header = '', body] = text.split('\r\n\r\n');
    const [, queueId = ''] = /by mx\.rig\.test \(Postfix\) with ESMTPSA id (\w+)/.exec(header) ?? [];
    expect(fieldsFor(header)).toEqual([`X-SES-MESSAGE-TAGS: mailstead=mx_rig_test-${queueId}`]);
    expect(queueId).not.toBe('');
    expect(body).toContain('X-SES-IN-THE-BODY: kept');
    expectNoFields(await delivered(BOB, 'by SES'));
  });

  it('the copy of another relay has none', async () => {
    expectNoFields((await submit(CAROL, 'by another relay', stack.rig.relays[1])).text);
    expectNoFields(await delivered(BOB, 'by another relay'));
    expect(stack.rig.relays[0].messages.map(({ from }) => from)).not.toContain(CAROL);
  });

  it('mail from outside has none, delivered or forwarded', async () => {
    const text = textOf('friend@elsewhere.test', 'from outside');
    expect(await stack.receive({ to: [ALICE, 'out@acme.test'], text })).toMatchObject({ code: 250 });
    expectNoFields(await delivered(ALICE, 'from outside'));
    expectNoFields((await outside.arrival('from outside')).text);
  });
});
