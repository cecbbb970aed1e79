import { parseMailStackSettings } from '../settings/mail-stack-settings.js';
import { examineDns } from './examine-dns.js';

const SECRET = 'a-secret-of-sixteen-or-more';
const settings = parseMailStackSettings({
  hostname: 'mx1.example.net',
  postmaster: 'postmaster@example.net',
  tls: { certificateFile: '/etc/ssl/cert.pem', keyFile: '/etc/ssl/key.pem' },
  dovecot: { doveadm: { apiKey: SECRET } },
  database: { postfix: { password: SECRET }, dovecot: { password: SECRET } },
  relays: [{ host: 'relay.example', username: 'user', password: 'password' }],
});

describe('the doctor', () => {
  const before = process.env.DNS_SERVERS;
  afterEach(() => {
    if (before === undefined) delete process.env.DNS_SERVERS;
    else process.env.DNS_SERVERS = before;
  });

  it.each(['dns.google', '192.0.2.53, 1.1.1.1:99999', '[::1', 'tls://1.1.1.1'])(
    'says of DNS_SERVERS=%s what the API says, and asks nobody',
    async (text) => {
      process.env.DNS_SERVERS = text;
      expect(await examineDns(settings)).toEqual([
        {
          verdict: 'wrong',
          sentence:
            'DNS_SERVERS is wrong: each must be an IP address like 192.0.2.53, 192.0.2.53:53 or [2001:db8::53]:53.',
        },
      ]);
    },
  );
});
