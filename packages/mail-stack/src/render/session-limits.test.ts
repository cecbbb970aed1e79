import { type DovecotVersion, parseMailStackSettings, SettingsError } from '../settings/mail-stack-settings.js';
import { renderMailStack } from './render-mail-stack.js';

const SECRET = 'a-secret-of-sixteen-or-more';
const VERSIONS: readonly DovecotVersion[] = ['2.3', '2.4'];
/** The services that open mailboxes, and so their index caches. */
const OPENERS = ['imap', 'pop3', 'lmtp', 'doveadm', 'indexer-worker', 'quota-status'];
/** What Debian's unit of Dovecot and Linux allow by themselves. */
const [FILES_OF_DEBIAN, INSTANCES_OF_LINUX] = [65_535, 128];

function rendered(dovecot: Record<string, unknown>): Map<string, string> {
  const settings = parseMailStackSettings({
    hostname: 'mx1.example.net',
    postmaster: 'postmaster@example.net',
    tls: { certificateFile: '/etc/ssl/cert.pem', keyFile: '/etc/ssl/key.pem' },
    dovecot: { doveadm: { apiKey: SECRET }, pop3s: '995', version: '2.3', ...dovecot },
    database: { postfix: { password: SECRET }, dovecot: { password: SECRET } },
    relays: [{ host: 'relay.example', username: 'user', password: 'password' }],
  });
  return new Map(renderMailStack(settings).map(({ path, content }) => [path, content]));
}

const dovecotOf = (version: DovecotVersion, dovecot: Record<string, unknown> = {}): string =>
  rendered({ version, ...dovecot }).get('dovecot/dovecot.conf') ?? '';

/** Returns the value of a setting of a service, from any of its blocks; null without one. */
function valueOf(text: string, service: string, name: string): string | null {
  const blocks = [...text.matchAll(new RegExp(`^service ${service} \\{\\n(.*?)^\\}`, 'gms'))].map(([, body]) => body);
  return new RegExp(`^  ${name} = (.*)$`, 'm').exec(blocks.join('\n'))?.[1] ?? null;
}

const numberIn = (text: string | undefined, name: string): number =>
  Number(new RegExp(`^${name} ?= ?(\\d+)$`, 'm').exec(text ?? '')?.[1]);

describe('dovecot.sessions', () => {
  it.each(VERSIONS)('is the number of processes for sessions of IMAP and of POP3 in Dovecot %s', (version) => {
    for (const [text, sessions] of [
      [dovecotOf(version), '8000'],
      [dovecotOf(version, { sessions: 1200 }), '1200'],
    ] as const) {
      for (const service of ['imap', 'pop3']) expect(valueOf(text, service, 'process_limit')).toBe(sessions);
    }
    expect(dovecotOf(version, { pop3s: null })).not.toContain('service pop3');
  });

  it.each(VERSIONS)(
    'gives each session a process of its own in Dovecot %s, so that its end ends no other one',
    (version) => {
      for (const service of ['imap', 'pop3']) {
        expect(valueOf(dovecotOf(version), service, 'client_limit')).toBe('1');
        expect(valueOf(dovecotOf(version), service, 'service_count|restart_request_count')).toBeNull();
      }
    },
  );

  it.each([100, 500, 1200, 8000, 50_000])(
    'leaves room for a quarter more connections than %s sessions, in login processes that serve many',
    (sessions) => {
      for (const service of ['imap-login', 'pop3-login']) {
        const text = dovecotOf('2.3', { sessions });
        const [processes, each] = [valueOf(text, service, 'process_limit'), valueOf(text, service, 'client_limit')];
        expect(Number(processes) * Number(each)).toBeGreaterThanOrEqual(1.25 * sessions);
        expect(Number(processes)).toBeGreaterThan(Number(valueOf(text, service, 'process_min_avail')));
        expect(valueOf(text, service, 'service_count')).toBe('0');
        expect(valueOf(dovecotOf('2.4', { sessions }), service, 'restart_request_count')).toBe('unlimited');
      }
    },
  );

  it.each([100, 8000, 50_000])('lets all processes of %s sessions connect to each inner service', (sessions) => {
    const files = rendered({ sessions });
    const clients = ['auth', 'anvil', 'stats'].map((service) =>
      Number(valueOf(files.get('dovecot/dovecot.conf') ?? '', service, 'client_limit')),
    );
    expect(Math.min(...clients)).toBeGreaterThan(2 * sessions + 1000);
    const unit = files.get('systemd/dovecot.service.d/mailstead.conf');
    expect(numberIn(unit, 'LimitNOFILE')).toBeGreaterThan(Math.max(...clients));
    expect(numberIn(unit, 'TasksMax')).toBeGreaterThan(2 * sessions + 1000);
  });

  it('lets all sessions wait for new mail at once, and never has Linux tell fewer of it than before', () => {
    for (const sessions of [100, 8000, 50_000]) {
      const file = rendered({ sessions }).get('sysctl.d/60-mailstead.conf');
      const instances = numberIn(file, 'fs.inotify.max_user_instances');
      expect(instances).toBeGreaterThan(Math.max(sessions, INSTANCES_OF_LINUX));
      expect(numberIn(file, 'fs.inotify.max_user_watches')).toBeGreaterThan(4 * instances);
    }
  });

  it('never lowers the number of files in Debian’s unit of Dovecot', () => {
    for (const sessions of [100, 8000]) {
      const unit = rendered({ sessions }).get('systemd/dovecot.service.d/mailstead.conf');
      expect(numberIn(unit, 'LimitNOFILE')).toBe(FILES_OF_DEBIAN);
    }
  });

  it('is told to the program that writes the metrics, with the Dovecot whose sessions it counts', () => {
    const environment = rendered({ sessions: 1200, instanceName: 'second' }).get('policyd.env');
    expect(environment).toMatch(/^DOVECOT_INSTANCE=second\nDOVECOT_SESSIONS=1200$/m);
  });

  it.each([99, 50_001, 0, -1, 1000.5, '8000', true])('refuses %p by its name', (sessions) => {
    const problems = (): unknown => rendered({ sessions });
    expect(problems).toThrow(SettingsError);
    expect(problems).toThrow('dovecot.sessions must be a whole number from 100 to 50000');
  });
});

describe.each(VERSIONS)('the limits of mailboxes in Dovecot %s', (version) => {
  it('keep the largest index cache below the memory of each process that opens it', () => {
    const text = dovecotOf(version);
    const cache = /^mail_cache_max_size = (\d+)M$/m.exec(text)?.[1];
    expect(Number(cache)).toBe(512);
    for (const service of OPENERS) {
      const gigabytes = Number(/^(\d+)G$/.exec(valueOf(text, service, 'vsz_limit') ?? '')?.[1]);
      expect([service, gigabytes * 1024 >= 2 * Number(cache)]).toEqual([service, true]);
    }
  });

  it('let one mailbox have 50 sessions from one address, or as many as an own line says', () => {
    expect(dovecotOf(version)).toMatch(/^mail_max_userip_connections = 50$/m);
    const own = dovecotOf(version, { extra: ['mail_max_userip_connections = 200'] });
    expect([...own.matchAll(/^mail_max_userip_connections = (\d+)$/gm)].at(-1)?.[1]).toBe('200');
  });
});
