import { parseMailStackSettings, SettingsError } from './mail-stack-settings.js';

const SECRET = 'a-secret-of-sixteen-or-more';
const REQUIRED = {
  hostname: 'mx1.example.net',
  postmaster: 'postmaster@example.net',
  tls: { certificateFile: '/etc/ssl/cert.pem', keyFile: '/etc/ssl/key.pem' },
  dovecot: { doveadm: { apiKey: SECRET } },
  database: { postfix: { password: SECRET }, dovecot: { password: SECRET } },
  relays: [{ host: 'relay.example', username: 'user', password: 'password' }],
};

function problemsOf(changes: Record<string, unknown>): string[] {
  try {
    parseMailStackSettings({ ...REQUIRED, ...changes });
    return [];
  } catch (error) {
    return error instanceof SettingsError ? [...error.problems] : [String(error)];
  }
}

describe('the settings of the mail stack', () => {
  it('have defaults for all but names and secrets', () => {
    const settings = parseMailStackSettings(REQUIRED);
    expect(settings).toMatchObject({
      ipVersions: 'all',
      mail: { root: '/var/vmail', uid: 5000, gid: 5000 },
      postfix: {
        configDirectory: '/etc/postfix',
        logFile: null,
        mx: { host: null, port: 25 },
        submission: { host: null, port: 587 },
        submissionInstance: { queueDirectory: '/var/spool/postfix-submission' },
      },
      dovecot: {
        lmtp: { kind: 'unix', path: '/var/spool/postfix/private/dovecot-lmtp' },
        doveadm: { address: { host: '127.0.0.1', port: 2180 }, apiKey: SECRET },
      },
      database: { clients: ['localhost', '127.0.0.1'], postfix: { user: 'mailstead_postfix', password: SECRET } },
      relays: [{ host: 'relay.example', port: 587, username: 'user', password: 'password' }],
      forwarding: null,
      policyd: { kind: 'inet', host: '127.0.0.1', port: 10_040 },
      otherMilters: [],
      api: { url: 'http://127.0.0.1:8080', frames: { kind: 'inet', host: '127.0.0.1', port: 10_044 } },
      test: { smtpdMaxUse: 0, fastFailures: false },
    });
  });

  it('take null for the default of a number, a choice, a list or a section, as the first release did', () => {
    const nulls = { ipVersions: null, mail: { uid: null }, otherMilters: null, relayTls: null, test: null, api: null };
    expect(parseMailStackSettings({ ...REQUIRED, ...nulls })).toEqual(parseMailStackSettings(REQUIRED));
    expect(problemsOf({ hostname: null, mail: { root: null } })).toHaveLength(2);
  });

  it('let the doctor receive its messages on the loopback only', () => {
    expect(parseMailStackSettings({ ...REQUIRED, doctor: { address: '10143' } }).doctor).toMatchObject({
      mailbox: null,
      address: { host: '127.0.0.1', port: 10_143 },
    });
    for (const address of ['0.0.0.0:10043', '192.0.2.1:10043', 'localhost:10043', '127.evil.test:10043']) {
      expect(problemsOf({ doctor: { address } })).toEqual([
        expect.stringMatching(/^doctor\.address must be an address of/),
      ]);
    }
    expect(problemsOf({ doctor: { address: '[::1]:10043', mailbox: 'doctor@example.net' } })).toEqual([]);
    expect(problemsOf({ doctor: { address: 7 } })).toHaveLength(1);
  });

  it('let frames, which are not encrypted, go through this machine only', () => {
    for (const frames of ['0.0.0.0:10044', '192.0.2.1:10044', 'localhost:10044']) {
      expect(problemsOf({ api: { frames } })).toEqual([expect.stringMatching(/^api\.frames must be an address of/)]);
    }
    for (const frames of ['[::1]:10044', '/run/mailstead/api.sock', null])
      expect(problemsOf({ api: { frames } })).toEqual([]);
    expect(problemsOf({ api: { frames: 7 } })).toHaveLength(1);
  });

  it('trust single hosts only, named by their addresses', () => {
    const problems = (trustedNetworks: unknown, postfix = {}) =>
      problemsOf({ dovecot: { ...REQUIRED.dovecot, trustedNetworks }, postfix });
    for (const right of [[], null, ['192.0.2.7', '127.0.0.1', '::1', '2001:DB8::7']])
      expect(problems(right)).toEqual([]);
    for (const wrong of [
      '192.0.2.7',
      [7],
      ['192.0.2.0/24'],
      ['192.0.2.7/32'],
      ['2001:db8::/64'],
      ['webmail.example.net'],
      ['192.0.2.7 192.0.2.8'],
      ['192.0.2.7', 'fe80::1%eth0'],
      ['::ffff:192.0.2.7'],
      ['0.0.0.0'],
      ['::'],
      [''],
    ])
      expect([wrong, problems(wrong)]).toEqual([
        wrong,
        [expect.stringMatching(/^dovecot\.trustedNetworks must be a list, each entry the address of one host/)],
      ]);
  });

  it('refuse an own line in place of the exceptions that the trusted hosts get in Postfix', () => {
    const problems = (trustedNetworks: string[], unsupported: boolean) =>
      problemsOf({
        dovecot: { ...REQUIRED.dovecot, trustedNetworks },
        postfix: { extra: ['smtpd_client_event_limit_exceptions = 192.0.2.9'], unsupported },
      });
    expect(problems(['192.0.2.7'], false)).toEqual([
      expect.stringMatching(/^postfix\.extra sets smtpd_client_event_limit_exceptions, which is not on the list/),
    ]);
    expect([problems(['192.0.2.7'], true), problems([], false)]).toEqual([[], []]);
  });

  it('accept addresses, ports, sockets, and null to switch a service off', () => {
    const settings = parseMailStackSettings({
      ...REQUIRED,
      postfix: { mx: '[::1]:2525', submissions: null },
      dovecot: { doveadm: { address: '9180', apiKey: SECRET }, imap: null },
      milter: '/run/milter',
      otherMilters: ['127.0.0.1:11332'],
      forwarding: { srsDomain: 'srs.example.net' },
    });
    expect(settings.postfix).toMatchObject({ mx: { host: '::1', port: 2525 }, submissions: null });
    // A port without a host must not make the doveadm listener reachable from outside.
    expect(settings.dovecot).toMatchObject({ imap: null, doveadm: { address: { host: '127.0.0.1', port: 9180 } } });
    expect(settings.milter).toEqual({ kind: 'unix', path: '/run/milter' });
    expect(settings.otherMilters).toEqual([{ kind: 'inet', host: '127.0.0.1', port: 11_332 }]);
    expect(settings.forwarding).toEqual({
      srsDomain: 'srs.example.net',
      senderMap: 'tcp:127.0.0.1:10001',
      recipientMap: 'tcp:127.0.0.1:10002',
    });
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ ipVersions: 'ipv5' }, ['ipVersions must be one of all, ipv4, ipv6']],
    [{ mail: { uid: 0 } }, ['mail.uid must be a whole number from 1 to 65533']],
    [{ mail: [] }, ['mail must be an object']],
    [{ mail: 5 }, ['mail must be an object']],
    [{ postfix: 7 }, ['postfix must be an object']],
    [{ postfix: [], relays: {} }, ['postfix must be an object', 'relays must be a list']],
    [{ postfix: { mx: 25 } }, ['postfix.mx must be a port such as 25, or an address and a port such as 127.0.0.1:25']],
    [
      { postfix: { submissionInstance: { queueDirectory: 'spool' } } },
      ['postfix.submissionInstance.queueDirectory must be an absolute path of letters, digits and ._/@+-'],
    ],
    [
      { policyd: { kind: 'unix', path: '/x' } },
      ['policyd must be an address such as 127.0.0.1:10040 or the path of a unix socket'],
    ],
    [
      { otherMilters: ['a b'] },
      ['otherMilters must be a list, each entry an address such as 127.0.0.1:10040 or the path of a unix socket'],
    ],
    [{ relays: {} }, ['relays must be a list']],
    [{ relays: [7] }, ['relays[0] must be an object']],
    [{ postfix: { extra: 'x' } }, ['postfix.extra must be a list, each entry a line of the form "name = value"']],
    [
      { dovecot: { ...REQUIRED.dovecot, extra: ['a = 1\nmail_location = x'] } },
      ['dovecot.extra must be a list, each entry a line of the form "name = value"'],
    ],
    [
      { postfix: { extra: ['smtpd_timeout = 60s', 'mynetworks = 0.0.0.0/0', 'smtpd_timeout = 70s'] } },
      [
        'postfix.extra sets smtpd_timeout twice',
        'postfix.extra sets mynetworks, which is not on the list of what may be changed; with postfix.unsupported: true it is rendered all the same, and the doctor names it',
      ],
    ],
    [
      {
        relays: [
          { ...REQUIRED.relays[0], host: '192.0.2.1' },
          { ...REQUIRED.relays[0], host: '2001:db8::1' },
        ],
      },
      [0, 1].map(
        (index) =>
          `relays[${index}].host must be a host name while relayTls.level is "secure": Postfix verifies no IP address`,
      ),
    ],
    [
      { database: { ...REQUIRED.database, tls: {} } },
      [
        'database.host must be a host name with database.tls, not an address',
        'database.socket must be null with database.tls',
      ],
    ],
    [
      {
        database: { ...REQUIRED.database, host: 'db.example.net', socket: null, tls: { caFile: 'ca.pem', mode: 'x' } },
      },
      [
        'database.tls.mode is not a setting',
        'database.tls.caFile must be an absolute path of letters, digits and ._/@+-',
      ],
    ],
    [{ forwarding: {} }, ['forwarding.srsDomain must be a host name of at least two labels, in lower case']],
    [{ test: { fastFailures: 'yes' } }, ['test.fastFailures must be true or false']],
    [{ hostnam: 'x' }, ['hostnam is not a setting']],
    [{ tls: { ...REQUIRED.tls, constructor: 1 } }, ['tls.constructor is not a setting']],
    [{ relays: [{ ...REQUIRED.relays[0], ports: 1 }] }, ['relays[0].ports is not a setting']],
  ])('%j is refused', (changes, problems) => {
    expect(problemsOf(changes)).toEqual(problems);
  });

  it('take own lines that are not on the list only as unsupported', () => {
    expect(problemsOf({ postfix: { extra: ['mynetworks = 0.0.0.0/0'], unsupported: true } })).toEqual([]);
  });

  it('list the missing secrets, and never show one', () => {
    expect(
      problemsOf({ database: {}, dovecot: { doveadm: { apiKey: 'change-me-doveadm-key' } } }).map((problem) =>
        problem.replace(/ must be .*/, ''),
      ),
    ).toEqual(['dovecot.doveadm.apiKey', 'database.postfix.password', 'database.dovecot.password']);
    expect(problemsOf({ dovecot: { doveadm: { apiKey: 'short' } } }).join()).not.toContain('short');
  });

  it('verify the certificate of the database by the authorities of the system, unless others are named', () => {
    const database = { ...REQUIRED.database, host: 'db.example.net', socket: null };
    const tlsOf = (tls: unknown) =>
      parseMailStackSettings({ ...REQUIRED, database: { ...database, tls } }).database.tls;
    expect(tlsOf({})).toEqual({ caFile: '/etc/ssl/certs/ca-certificates.crt' });
    expect(tlsOf({ caFile: '/etc/ssl/database.pem' })).toEqual({ caFile: '/etc/ssl/database.pem' });
    expect(tlsOf(null)).toBeNull();
  });

  it('must be an object', () => {
    for (const source of [null, [], 'x']) expect(() => parseMailStackSettings(source)).toThrow('must be an object');
  });
});
