import { readFile, writeFile } from 'node:fs/promises';
import { DnsServer } from '@mailstead/adapters/dns/testing/dns-server';
import { freePorts } from '../../../../scripts/free-port.mjs';
import { renderGrants } from '../render/render-grants.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { describeStack } from '../testing/describe-stack.js';
import { MailRig } from '../testing/mail-rig.js';
import type { MailsteadProcess } from '../testing/mailstead-process.js';
import { MilterStandIn } from '../testing/milter-stand-in.js';
import { addDomain, addMailboxes, METRICS_TOKEN } from '../testing/platform.js';
import { PolicyStandIn } from '../testing/policy-stand-in.js';
import { until } from '../testing/until.js';
import { examine } from './examine.js';
import { compareClock } from './examine-database.js';

/** Settings as plain objects, which a test can copy and change. */
type Plain<T> = T extends object ? { [Name in keyof T]: Plain<T[Name]> } : T;

describe('compareClock', () => {
  it('reports the size and direction of the difference between two clocks', () => {
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
  let dns: DnsServer;
  let outages: MailsteadProcess;

  beforeAll(async () => {
    policy = await PolicyStandIn.start();
    milter = await MilterStandIn.start();
    // A minute after its creation the worker looks at the records of a domain.
    dns = await DnsServer.start();
    dns.a('mx.rig.test', '192.0.2.25').mx('rig.test', { exchange: 'mx.rig.test', preference: 10 });
    const environment = { DNS_SERVERS: dns.address };
    rig = await MailRig.start({ policyd: policy.address, milter: milter.address, defaultRelay: 'ses', environment });
    await writeFile(rig.settings.doctor.tokenFile, `METRICS_TOKEN=${METRICS_TOKEN}\n`, { mode: 0o600 });
    expect(await rig.platform.holdQueues({ stamp: rig.settings.doctor.holdsStamp ?? '' })).toBe(0);
    outages = await rig.platform.startOutages(rig.settings.doctor.outagesState ?? '');
  });

  afterAll(async () => {
    await outages?.stop();
    await rig?.stop();
    await policy?.stop();
    await milter?.stop();
    await dns?.close();
  });

  beforeEach(() => {
    policy.answer = () => '550 5.7.1 This domain is not known here';
  });

  /** With other settings than those of the servers, what differs from the rendered configuration is left out. */
  async function wrongs(change?: (settings: Plain<MailStackSettings>) => MailStackSettings): Promise<string[]> {
    const findings = await examine(change?.(rig.settings) ?? rig.settings);
    const sentences = findings.filter(({ verdict }) => verdict === 'wrong').map(({ sentence }) => sentence);
    return change === undefined ? sentences : sentences.filter((text) => !text.includes('is not the rendered one'));
  }

  it('reports no problem with a correct installation', async () => {
    expect(await wrongs()).toEqual([]);
    expect((await readFile(`${rig.folder}/dovecot.log`, 'utf8')).match(/.*Error:.*/g)).toBeNull();
    // Newer releases of Postfix refuse a client that writes before the greeting.
    expect(await rig.logs()).not.toContain('improper command pipelining');
  });

  it('names what an operator should know, and is not wrong', async () => {
    const notes = async (): Promise<string[]> =>
      (await examine(rig.settings)).filter(({ verdict }) => verdict === 'warning').map(({ sentence }) => sentence);
    const [before] = [await notes()];
    expect(before).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^postmaster@rig\.test is no address of this platform, so mail to postmaster@ and abuse@/,
        ),
        expect.stringMatching(/^mx\.rig\.test has no address in DNS/),
      ]),
    );
    await addDomain(rig.platform.master, 'rig.test');
    await addMailboxes(rig.platform.master, 'postmaster@rig.test');
    expect((await notes()).join()).not.toContain('is no address of this platform');
    await rig.platform.master.post('/jobs/dns.look/run', {});
  });

  it('reports a relay that refuses the login, has another certificate, or does not answer', async () => {
    const [nobody = 0] = await freePorts(1);
    for (const [change, says] of [
      [{ password: 'another' }, /Invalid login|Authentication/],
      [{ port: nobody }, /ECONNREFUSED/],
    ] as const) {
      const found = await wrongs(({ relays: [first, ...others], ...settings }) => ({
        ...settings,
        relays: [...(first === undefined ? [] : [{ ...first, ...change }]), ...others],
      }));
      expect(found).toEqual([
        expect.stringMatching(new RegExp(`^The relay localhost:\\d+ cannot be used.*${says.source}`)),
      ]);
    }
    const caFile = '/etc/ssl/certs/ca-certificates.crt';
    const untrusted = await wrongs((settings) => ({ ...settings, relayTls: { level: 'secure', caFile } }));
    expect(untrusted).toEqual([expect.stringMatching(/self-signed/), expect.stringMatching(/self-signed/)]);
  });

  it('reports that the policy daemon cannot decide', async () => {
    policy.answer = () => '451 4.3.5 The API does not answer';
    expect(await wrongs()).toEqual([
      expect.stringMatching(
        /^The policy daemon at inet:\S+ cannot decide: it answers "451 4.3.5 The API does not answer"/,
      ),
    ]);
  });

  it('reports why Mailstead is not ready, and that it is unavailable', async () => {
    await rig.services.redis.kill();
    expect(await wrongs()).toEqual([
      expect.stringMatching(/^Mailstead at \S+ has a problem: it is not ready, and answers 503 .*queue/),
    ]);
    await rig.services.redis.start();
    await until('Mailstead to be ready again', async () => (await wrongs()).length === 0);
    await rig.platform.worker.stop();
    // One of them is always late, at any time of day.
    const names = "('outbound.reset-daily', 'retention.purge')";
    await rig.services.database.query(`UPDATE IGNORE job_run SET period = '2000-01-01T00' WHERE name IN ${names}`);
    expect(await wrongs()).toEqual([
      expect.stringMatching(/ serves, and warns: .*(outbound\.reset-daily|retention\.purge)/),
    ]);
    await rig.platform.worker.start();
    await until('the missed schedule to be caught up', async () => (await wrongs()).length === 0);
    await rig.platform.api.stop();
    expect(await wrongs()).toEqual([expect.stringMatching(/^Mailstead at \S+ has a problem: .*ECONNREFUSED/)]);
    await rig.platform.api.start();
    await until('Mailstead to be ready once more', async () => (await wrongs()).length === 0);
  });

  it('reports a wrong key, password or certificate, and a server that does not listen', async () => {
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
      expect.stringMatching(/^The milter at unix:\/nowhere\/milter does not answer/),
      expect.stringMatching(/^doveadm at \S+ cannot be used.*: it refuses our key/),
    ]);
  });

  it('reports a TLS port for mail programs on which none, another or a server without TLS listens', async () => {
    const [nobody = 0] = await freePorts(1);
    const found = await wrongs(({ postfix, dovecot, ...settings }) => ({
      ...settings,
      postfix: { ...postfix, submissions: postfix.submission },
      dovecot: { ...dovecot, imaps: { host: '127.0.0.1', port: nobody }, pop3s: dovecot.imaps },
    }));
    expect(found).toEqual([
      expect.stringMatching(/^Postfix does not take submission on port \d+: .*wrong version number/),
      expect.stringMatching(/^Dovecot does not take IMAP on port \d+: connect ECONNREFUSED/),
      expect.stringMatching(/^Dovecot does not take POP3 on port \d+: it greets with \* OK/),
    ]);
  });

  it('reports that the policy daemon does not decide about logins', async () => {
    const [port = 0] = await freePorts(1);
    expect(await wrongs((settings) => ({ ...settings, logins: { host: '127.0.0.1', port } }))).toEqual([
      expect.stringMatching(/^The policy daemon at 127\.0\.0\.1:\d+ does not answer Dovecot.*ECONNREFUSED/),
    ]);
  });

  it('counts the hashes that cost more than those that are taken now', async () => {
    const sentence = async (): Promise<string | undefined> =>
      (await examine(rig.settings)).find((finding) => finding.verdict === 'ok' && /bcrypt 12/.test(finding.sentence))
        ?.sentence;
    const { database } = rig.services;
    expect(await sentence()).toBe('No password hash costs more than bcrypt 12.');
    const acme = await rig.platform.partner('acme');
    await addDomain(acme, 'costly.test');
    await addMailboxes(acme, ...['04', '12', '13', '14'].map((cost) => `cost-${cost}@costly.test`), 'sha@costly.test');
    await database.query(
      "UPDATE mailbox SET password_hash = CONCAT('$2y$', RIGHT(local_part, 2), '$', REPEAT('a', 53)) WHERE local_part LIKE 'cost-%'",
    );
    await database.query(
      "UPDATE mailbox SET password_hash = '{SHA512-CRYPT}$6$rounds=100000$x$' WHERE local_part = 'sha'",
    );
    expect(await sentence()).toMatch(/^2 mailboxes have a password hash above bcrypt 12 \(up to 14\)/);
  });

  it('reports why doveadm cannot be reached', async () => {
    const [port = 0] = await freePorts(1);
    const found = await wrongs(({ dovecot, ...settings }) => ({
      ...settings,
      dovecot: { ...dovecot, doveadm: { ...dovecot.doveadm, address: { host: '127.0.0.1', port } } },
    }));
    expect(found).toEqual([expect.stringMatching(/^doveadm at \S+ cannot be used.*: connect ECONNREFUSED/)]);
  });

  it('reports that the switches of forwarding do not agree', async () => {
    const { database } = rig.services;
    await database.query("UPDATE installation SET value = 'true' WHERE name = 'allow_external_forward'");
    expect(await wrongs()).toEqual([
      expect.stringMatching(/^Forwarding to the outside is not .*: the API has ALLOW_EXTERNAL_FORWARD=true, but /),
    ]);
    await database.query("UPDATE installation SET value = 'false' WHERE name = 'allow_external_forward'");
    await database.query("UPDATE installation SET value = 'on' WHERE name = 'forwarding'");
    expect(await wrongs()).toEqual([expect.stringMatching(/the database has it on, .* off; run grants.sql again$/)]);
    await database.query("UPDATE installation SET value = 'off' WHERE name = 'forwarding'");
  });

  it('reports a map of an earlier release, which a stranger can use against the platform', async () => {
    const path = `${rig.settings.postfix.configDirectory}/sql/mailboxes.cf`;
    const before = await readFile(path, 'utf8');
    await writeFile(path, before.replace("CONVERT('%s' USING ascii)", "'%s'"));
    const found = await wrongs();
    await writeFile(path, before);
    expect(found).toEqual([
      expect.stringMatching(/^A map of Postfix in \S+ does not answer: .*mailboxes\.cf: query error/),
      expect.stringMatching(/is not the rendered one: the map mailboxes has another query/),
    ]);
  });

  it('reports a missing view for each program that needs it', async () => {
    await rig.services.database.query('RENAME TABLE mta_sender_logins TO hidden');
    expect(await wrongs()).toEqual([
      expect.stringMatching(/^rig_mta_\w+ cannot read its views; run grants.sql again: .*mta_sender_logins/),
      expect.stringMatching(/^A map of Postfix in \S+postfix does not answer: .*notice-logins/),
      expect.stringMatching(/^A map of Postfix in \S+postfix-submission does not answer: .*/),
    ]);
    await rig.services.database.query('RENAME TABLE hidden TO mta_sender_logins');
  });

  it('reports a database user with unneeded rights', async () => {
    const { name, postfix } = rig.settings.database;
    const users = rig.settings.database.clients.map((client) => `'${postfix.user}'@'${client}'`).join(', ');
    for (const [right, table] of [
      ['SELECT', 'mda_users'],
      ['SELECT', 'mailbox'],
      ['SELECT (email, password_hash)', 'mailbox'],
      ['SELECT (destination)', 'alias'],
      ['SELECT, UPDATE', 'mta_domain'],
    ] as const) {
      await rig.services.database.query(`GRANT ${right} ON ${name}.${table} TO ${users}`);
      expect(await wrongs()).toEqual([
        expect.stringMatching(
          new RegExp(`^rig_mta_\\w+ may do more than it needs; run grants.sql again: GRANT SELECT.* ON .*${table}`),
        ),
      ]);
      await rig.services.database.query(renderGrants(rig.settings));
    }
    expect(await wrongs()).toEqual([]);
  });
});
