import { limitComplaints } from './limit-complaints.js';

const AT = 'Nov 29 13:15:12';

describe('the complaints about limits in Dovecot’s log', () => {
  it.each([
    [
      'master: Warning: service(imap): process_limit (100) reached, client connections are being dropped',
      'wrong',
      /mail programs were refused.*dovecot\.sessions/,
    ],
    [
      'master: Warning: service(pop3): process_limit (100) reached, client connections are being dropped',
      'wrong',
      /mail programs were refused/,
    ],
    [
      'master: Warning: service(imap-login): process_limit (8) reached, client connections are being dropped',
      'warning',
      /the oldest ones without a login were ended/,
    ],
    [
      'master: Warning: service(stats): client_limit (1000) reached, client connections are being dropped',
      'wrong',
      /inside Dovecot were refused/,
    ],
    [
      'master: Warning: fd limit (ulimit -n) is lower than required under max. load (1024 < 18040), because of service auth { client_limit }',
      'wrong',
      /systemd\/dovecot\.service\.d/,
    ],
    [
      'imap(a@acme.test)<7><Gk>: Warning: Inotify instance limit for user 5000 (UID vmail) exceeded, disabling. Increase /proc/sys/fs/inotify/max_user_instances',
      'warning',
      /up to 30 s late/,
    ],
    [
      'imap(a@acme.test)<7><Gk>: Warning: Inotify watch limit for user exceeded, disabling. Increase /proc/sys/fs/inotify/max_user_watches',
      'warning',
      /up to 30 s late/,
    ],
    [
      'imap(a@acme.test)<7><Gk>: Error: mmap(size=314572800) failed with file /var/vmail/x/dovecot.index.cache: Cannot allocate memory',
      'wrong',
      /vsz_limit/,
    ],
    [
      'imap(a@acme.test)<7><Gk>: Fatal: master: service(imap): child 7 returned error 83 (Out of memory (service imap { vsz_limit=256 MB }, you may need to increase it))',
      'wrong',
      /vsz_limit/,
    ],
  ] as const)('have "%s" with its consequence', (line, verdict, consequence) => {
    expect(limitComplaints([`${AT} master: Info: Dovecot starting up`, `${AT} ${line}`])).toEqual([
      { verdict, sentence: expect.stringMatching(consequence) },
    ]);
  });

  it('are one line for each kind, with their number and the last of them', () => {
    const reached = (at: string) =>
      `${at} master: Warning: service(imap): process_limit (100) reached, client connections are being dropped`;
    const [first, ...more] = limitComplaints([reached('Nov 29 13:15:12'), reached('Nov 29 13:20:00')]);
    expect(first?.sentence).toContain('has 2 lines about a limit, the last one "Nov 29 13:20:00 master');
    expect(more).toEqual([]);
  });

  it('are not what a sender of mail writes into the log, nor other warnings', () => {
    const forged = 'x: Warning: service(imap): process_limit (1) reached';
    expect(
      limitComplaints([
        `${AT} lmtp(a@acme.test)<7><Gk>: Info: msgid=<${forged}>, size=7, saved mail to INBOX`,
        `${AT} imap-login: Info: Disconnected: Too many open files: user=<>`,
        `${AT} imap(a@acme.test)<7><Gk>: Warning: Maildir: Broken filename (${forged})`,
        'Cannot allocate memory',
        '',
      ]),
    ).toEqual([]);
  });
});
