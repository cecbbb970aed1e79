import { describeWith } from '../../../scripts/needed-programs.mjs';
import './testing/describe-stack.js';
import { DnsStandIn } from './testing/dns-stand-in.js';
import { addMailboxes } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { Rspamd } from './testing/rspamd.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
/** GTUBE with the letter that marks the message; with an X rspamd refuses it. */
const GTUBE = 'YJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const RECORDS = {
  'good.test': 'v=spf1 ip4:127.0.0.0/8 -all',
  '_dmarc.good.test': 'v=DMARC1; p=reject',
  'bad.test': 'v=spf1 -all',
};
const describeFilter = await describeWith('the spam filter');

describeFilter('rspamd with the documented files', () => {
  let stack: WholeStack<PolicyStandIn>;
  let rspamd: Rspamd;
  let dns: DnsStandIn;

  beforeAll(async () => {
    dns = await DnsStandIn.start(RECORDS);
    rspamd = await Rspamd.start(dns.address);
    const settings = { inboundMilters: [rspamd.address] };
    stack = await WholeStack.start({ settings, dovecot: { junk: true } });
  });
  afterAll(async () => {
    await stack?.stop();
    await rspamd?.stop();
    await dns?.stop();
  });

  /** Returns the header of each message with this subject in a folder. */
  const headers = async (user: string, folder: string, subject: string): Promise<string> =>
    await stack.rig.doveadm('fetch', '-u', user, 'hdr', 'mailbox', folder, 'subject', subject);
  const arrival = async (folder: string, subject: string, user = ALICE): Promise<string> =>
    await until(`"${subject}" in ${folder} of ${user}`, async () => {
      const found = await headers(user, folder, subject);
      return found === '' ? null : found;
    }).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await stack.rig.logs()}\n${await rspamd.log()}`, { cause: error });
    });

  it('spam is stored in Junk, with its save date and the subscription of the folder, and other mail in the inbox', async () => {
    expect(await stack.receive({ to: ALICE, subject: 'spam', body: GTUBE })).toMatchObject({ code: 250 });
    expect(await stack.receive({ to: ALICE, subject: 'letter' })).toMatchObject({ code: 250 });
    await arrival('INBOX', 'letter');
    expect(await arrival('Junk', 'spam')).toMatch(/^X-Spam: Yes/m);
    expect(await headers(ALICE, 'INBOX', 'spam')).toBe('');
    expect(await stack.rig.doveadm('fetch', '-u', ALICE, 'date.saved', 'mailbox', 'Junk', 'all')).toMatch(/20\d\d-/);
    expect(await stack.rig.doveadm('mailbox', 'list', '-s', '-u', ALICE)).toContain('Junk');
  });

  it('the results of SPF and DMARC are in one field with the name of this host', async () => {
    for (const [domain, spf, dmarc] of [
      ['good.test', 'pass', 'pass'],
      ['bad.test', 'fail', 'none'],
    ] as const) {
      const headers = [`Message-ID: <1@${domain}>`, `Date: ${new Date().toUTCString()}`];
      await stack.receive({ from: `a@${domain}`, to: ALICE, subject: `checked ${domain}`, headers });
      const header = (await arrival('INBOX', `checked ${domain}`)).replaceAll(/\r?\n[ \t]+/g, ' ');
      const [results = '', ...more] = header.match(/^Authentication-Results:.*$/gm) ?? [];
      expect(more).toEqual([]);
      expect(results).toContain('mx.rig.test;');
      expect(results).toContain(`spf=${spf}`);
      expect(results).toContain(`dmarc=${dmarc}`);
    }
  });

  it.each(['scanned', 'not scanned'])(
    'fields of a stranger that only the filter may write are removed, and others stay: %s',
    async (subject) => {
      if (subject === 'not scanned') await rspamd.kill();
      const forged = [
        'X-Spam: Yes',
        'X-Spam-Flag: YES',
        'Authentication-Results: mx.rig.test; spf=pass',
        'authentication-results : (x;y) "m\\x.rig.test"\r\n 1; dmarc=pass',
        'Authentication-Results: other.test; spf=pass',
      ];
      expect(await stack.receive({ to: ALICE, subject, headers: forged })).toMatchObject({ code: 250 });
      const found = await arrival('INBOX', subject);
      expect(found).toContain('Authentication-Results: other.test; spf=pass');
      expect(found).not.toMatch(/^X-Spam|x;y/im);
      expect(found).not.toContain('mx.rig.test; spf=pass');
    },
  );

  it('mail arrives also while it does not run, and a full mailbox is still a temporary error', async () => {
    await rspamd.kill();
    const user = 'full@acme.test';
    await addMailboxes(stack.acme, user);
    await stack.platform.master.put(`/users/${user}/quota`, { quota_mb: 1 });
    expect(await stack.receive({ to: user, subject: 'first', body: 'x'.repeat(900_000) })).toMatchObject({ code: 250 });
    await arrival('INBOX', 'first', user);
    expect(await stack.receive({ to: user, body: 'x'.repeat(400_000), size: 400_000 })).toMatchObject({ code: 452 });
    expect(await stack.receive({ to: user, body: 'x'.repeat(400_000) })).toMatchObject({ code: 250 });
    await stack.rig.deferral(user, 'Quota exceeded');
  });
});
