import { readFile } from 'node:fs/promises';
import { parseMailStackSettings } from '../settings/mail-stack-settings.js';
import { renderMailStack } from './render-mail-stack.js';

/** Renders the example for Dovecot 2.3, unless the settings say otherwise. @returns the files by their paths */
async function rendered(dovecot: object, changes: object = {}): Promise<Map<string, string>> {
  const text = await readFile(new URL('../../settings.example.json', import.meta.url), 'utf8');
  const example = JSON.parse(text.replaceAll('"change-me', '"changed-0123456789')) as { dovecot: object };
  const settings = { ...example, ...changes, dovecot: { ...example.dovecot, version: '2.3', ...dovecot } };
  return new Map(renderMailStack(parseMailStackSettings(settings)).map(({ path, content }) => [path, content]));
}

describe.each(['2.3', '2.4'])('the log of Dovecot %s', (version) => {
  it('is one of its own without a setting, which the policy daemon is told, may read, and which is rotated', async () => {
    const files = await rendered({ version });
    const log = '/var/log/mailstead/dovecot.log';
    expect(files.get('dovecot/dovecot.conf')).toContain(`\nlog_path = ${log}\n`);
    expect(files.get('policyd.env')).toContain(`\nMETER_LOG=${log}\n`);
    expect(files.get('policyd.env')).not.toContain('METER_DOWNLOADS');
    expect(files.get('tmpfiles.d/mailstead.conf')?.split('\n').slice(1, 3)).toEqual([
      'd /var/log/mailstead 0750 root mailstead-policyd',
      `f ${log} 0640 root mailstead-policyd`,
    ]);
    expect(files.get('logrotate.d/mailstead')).toContain(`\n${log} {\n`);
  });

  it('in another folder leaves the mode of that folder, and with syslog nothing is rendered for it', async () => {
    const other = (await rendered({ version, logFile: '/var/log/dovecot.log' })).get('tmpfiles.d/mailstead.conf');
    expect(other).not.toMatch(/^d /m);
    expect(other).toMatch(/^f \/var\/log\/dovecot\.log /m);
    const files = await rendered({ version, logFile: null });
    expect([...files.keys()].filter((path) => /tmpfiles|logrotate/.test(path))).toEqual([]);
    expect(files.get('policyd.env')).not.toContain('METER');
    expect(files.get('dovecot/dovecot.conf')).not.toContain('log_path');
  });

  it('of Postfix in a file of its own may be read by the policy daemon, which is told it and the name in the tags', async () => {
    const log = '/var/log/mailstead/postfix.log';
    const files = await rendered(
      { version, logFile: null },
      { postfix: { mx: '25', submission: '587', logFile: log } },
    );
    expect(files.get('tmpfiles.d/mailstead.conf')?.split('\n').slice(1, 3)).toEqual([
      'd /var/log/mailstead 0750 root mailstead-policyd',
      `f ${log} 0640 root mailstead-policyd`,
    ]);
    expect(files.get('policyd.env')).toContain(`\nPOLICY_MTA=mx1.example.net\nTRAIL_LOG=${log}\n`);
    expect(files.get('logrotate/mailstead-postfix')).toContain('create 0640 root mailstead-policyd');
    expect((await rendered({ version })).get('policyd.env')).not.toContain('TRAIL_LOG');
  });

  it('of Postfix is read with the domain of rewritten senders, where mail is forwarded', async () => {
    const postfix = { mx: '25', submission: '587', logFile: '/var/log/mailstead/postfix.log' };
    const forwarding = { srsDomain: 'srs.example.net' };
    const env = async (changes: object) => (await rendered({ version }, changes)).get('policyd.env');
    expect(await env({ postfix, forwarding })).toContain('\nTRAIL_SRS_DOMAIN=srs.example.net\n');
    expect(await env({ postfix })).not.toContain('TRAIL_SRS_DOMAIN');
    expect(await env({ forwarding })).not.toContain('TRAIL_SRS_DOMAIN');
  });

  it('has the bytes of each session at the end of a line only when downloads count', async () => {
    const formats = /^(imap|pop3)_logout_format = .* in=%\{input\} out=%\{output\}$/gm;
    expect((await rendered({ version })).get('dovecot/dovecot.conf')).not.toMatch(formats);
    const files = await rendered({ version, countDownloads: true });
    expect(files.get('dovecot/dovecot.conf')?.match(formats)).toHaveLength(2);
    expect(files.get('policyd.env')).toContain('\nMETER_DOWNLOADS=on\n');
  });
});

describe('a filter of inbound mail', () => {
  it('has its fields removed from what comes in, on port 25 alone', async () => {
    const cleans = (files: Map<string, string>, folder: string) =>
      files.get(`${folder}/main.cf`)?.match(/^header_checks .*$/m);
    expect(cleans(await rendered({}), 'postfix')).toBeNull();
    for (const files of [await rendered({ junk: true }), await rendered({}, { inboundMilters: ['127.0.0.1:11332'] })]) {
      expect(cleans(files, 'postfix')?.[0]).toContain('/^X-Spam/ IGNORE');
      expect(files.get('postfix-submission/main.cf')).not.toContain('X-Spam');
    }
  });
});

describe('the script of mailboxes', () => {
  it.each([
    ['2.3', /^ {2}sieve_extensions = duplicate envelope fileinto index variables$/m],
    ['2.4', /^sieve_extensions = duplicate envelope fileinto index variables$/m],
  ])('has a part for Junk only when it is set, and there are no scripts of users: %s', async (version, extensions) => {
    for (const junk of [false, true]) {
      const files = await rendered({ version, junk });
      const script = files.get('dovecot/mailstead.sieve') ?? '';
      expect(script).toContain('by mx1.example.net (Postfix');
      expect(script.includes('fileinto "Junk"')).toBe(junk);
      expect(files.get('dovecot/dovecot.conf')).toMatch(extensions);
      expect(files.get('dovecot/dovecot.conf')).not.toMatch(/\n\n\n/);
    }
  });
});
