import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { describeStack } from '../testing/describe-stack.js';
import { freePorts } from '../testing/free-ports.js';
import { MailRig } from '../testing/mail-rig.js';
import { MilterStandIn } from '../testing/milter-stand-in.js';
import { PolicyStandIn } from '../testing/policy-stand-in.js';
import { until } from '../testing/until.js';
import { examine } from './examine.js';
import { compareClock } from './examine-database.js';

describe('compareClock', () => {
  it('says by how much, and in which direction, two clocks differ', () => {
    expect(compareClock('it', 1_005_000, 1_000_000, 1_000_000)).toContain('agrees');
    expect(() => compareClock('it', 1_065_000, 1_000_000, 1_000_000)).toThrow('the clock of it is 65 s ahead of');
    expect(() => compareClock('it', 940_000, 1_000_000, 1_000_010)).toThrow('the clock of it is 60 s behind');
    expect(() => compareClock('it', Number.NaN, 0, 0)).toThrow('the clock of it');
  });
});

describeStack('the doctor', () => {
  let rig: MailRig;
  let policy: PolicyStandIn;
  let milter: MilterStandIn;

  beforeAll(async () => {
    policy = await PolicyStandIn.start();
    milter = await MilterStandIn.start();
    rig = await MailRig.start({ policyd: policy.address, milter: milter.address });
  }, 60_000);

  afterAll(async () => {
    await rig?.stop();
    await policy?.stop();
    await milter?.stop();
  }, 20_000);

  beforeEach(() => {
    policy.answer = () => '550 5.7.1 This domain is not known here';
  });

  async function wrongs(
    change: (settings: MailStackSettings) => MailStackSettings = (settings) => settings,
  ): Promise<string[]> {
    const findings = await examine(change(rig.settings));
    return findings.filter(({ ok }) => !ok).map(({ sentence }) => sentence);
  }

  it('finds nothing wrong with a sound installation', async () => {
    expect(await wrongs()).toEqual([]);
    // Newer releases of Postfix refuse a client that speaks before its greeting.
    expect(await rig.logs()).not.toContain('improper command pipelining');
  });

  it('says that the policy daemon cannot decide', async () => {
    policy.answer = () => '451 4.3.5 The API does not answer';
    expect(await wrongs()).toEqual([
      expect.stringMatching(
        /^The policy daemon at inet:\S+ cannot decide: it answers "451 4.3.5 The API does not answer"/,
      ),
    ]);
  });

  it('says what Mailstead is missing, and that it is away', async () => {
    await rig.services.redis.kill();
    expect(await wrongs()).toEqual([expect.stringMatching(/^Mailstead at \S+ is not ready: it answers 503 .*queue/)]);
    await rig.services.redis.start();
    await until('Mailstead to be ready again', async () => (await wrongs()).length === 0);
    await rig.platform.worker.stop();
    // Either of them is late at any hour.
    const names = "('outbound.reset-daily', 'retention.purge')";
    await rig.services.database.query(`UPDATE IGNORE job_run SET period = '2000-01-01T00' WHERE name IN ${names}`);
    expect(await wrongs()).toEqual([
      expect.stringMatching(/is not ready: it answers 503 .*(outbound\.reset-daily|retention\.purge)/),
    ]);
    await rig.platform.worker.start();
    await until('the missed schedule to be caught up', async () => (await wrongs()).length === 0);
    await rig.platform.api.stop();
    expect(await wrongs()).toEqual([expect.stringMatching(/^Mailstead at \S+ is not ready: .*ECONNREFUSED/)]);
    await rig.platform.api.start();
    await until('Mailstead to be ready once more', async () => (await wrongs()).length === 0);
  });

  it('says that a key, a password or a certificate is wrong, or nobody listens', async () => {
    const found = await wrongs((settings) => ({
      ...settings,
      tls: { ...settings.tls, certificateFile: '/nowhere/cert.pem' },
      milter: { kind: 'unix', path: '/nowhere/milter' },
      database: { ...settings.database, dovecot: { ...settings.database.dovecot, password: 'not-the-password' } },
      dovecot: { ...settings.dovecot, doveadm: { ...settings.dovecot.doveadm, apiKey: 'not-the-right-key' } },
    }));
    expect(found).toEqual([
      expect.stringMatching(/^The database user rig_mda_\w+ cannot log in .*: Access denied/),
      expect.stringMatching(/^The certificate \/nowhere\/cert.pem cannot be used: ENOENT/),
      expect.stringMatching(
        /is not the rendered one: smtpd_milters is "inet:\S+", and must be "unix:\/nowhere\/milter"$/,
      ),
      expect.stringMatching(/^The milter at unix:\/nowhere\/milter does not answer/),
      expect.stringMatching(/^doveadm at \S+ cannot be used.*: it refuses our key/),
    ]);
  });

  it('says that nobody listens for mail programs in TLS, or that what listens speaks none', async () => {
    const [nobody = 0] = await freePorts(1);
    const found = await wrongs(({ postfix, dovecot, ...settings }) => ({
      ...settings,
      postfix: { ...postfix, submissions: postfix.submission },
      dovecot: { ...dovecot, imaps: { host: '127.0.0.1', port: nobody } },
    }));
    expect(found).toEqual([
      expect.stringMatching(/^Postfix does not take submission on port \d+: .*wrong version number/),
      expect.stringMatching(/^Dovecot does not take IMAP on port \d+: connect ECONNREFUSED/),
    ]);
  });

  it('says why doveadm cannot be reached', async () => {
    const [port = 0] = await freePorts(1);
    const found = await wrongs(({ dovecot, ...settings }) => ({
      ...settings,
      dovecot: { ...dovecot, doveadm: { ...dovecot.doveadm, port } },
    }));
    expect(found).toEqual([expect.stringMatching(/^doveadm at \S+ cannot be used.*: connect ECONNREFUSED/)]);
  });

  it('says that a view is gone, in the words of each that misses it', async () => {
    await rig.services.database.query('RENAME TABLE mta_relay TO hidden');
    expect(await wrongs()).toEqual([
      expect.stringMatching(/^rig_mta_\w+ cannot read its views; run grants.sql again: .*mta_relay/),
      expect.stringMatching(/^A map of Postfix in \S+postfix-submission does not answer: .*/),
    ]);
    await rig.services.database.query('RENAME TABLE hidden TO mta_relay');
  });

  it('says that a database user may do more than it needs', async () => {
    const { name, postfix } = rig.settings.database;
    const users = rig.settings.database.clients.map((client) => `'${postfix.user}'@'${client}'`).join(', ');
    await rig.services.database.query(`GRANT SELECT ON ${name}.mda_users TO ${users}`);
    expect(await wrongs()).toEqual([
      expect.stringMatching(
        /^rig_mta_\w+ may do more than it needs; run grants.sql again: GRANT SELECT ON .*mda_users/,
      ),
    ]);
    await rig.services.database.query(`REVOKE SELECT ON ${name}.mda_users FROM ${users}`);
  });
});
