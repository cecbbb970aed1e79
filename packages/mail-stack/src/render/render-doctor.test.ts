import { parseMailStackSettings } from '../settings/mail-stack-settings.js';
import { renderMailStack } from './render-mail-stack.js';

const SECRET = 'a-secret-of-sixteen-or-more';
const REQUIRED = {
  hostname: 'mx1.example.net',
  postmaster: 'postmaster@example.net',
  tls: { certificateFile: '/etc/ssl/cert.pem', keyFile: '/etc/ssl/key.pem' },
  dovecot: { version: '2.3', doveadm: { apiKey: SECRET } },
  database: { postfix: { password: SECRET }, dovecot: { password: SECRET } },
  relays: [{ host: 'relay.example', username: 'user', password: 'password' }],
};

function rendered(changes: Record<string, unknown> = {}): Map<string, string> {
  const files = renderMailStack(parseMailStackSettings({ ...REQUIRED, ...changes }));
  return new Map(files.map(({ path, content }) => [path, content]));
}

describe('the rendered files', () => {
  it('send mail for the reserved name to the doctor alone, and name its mailbox only for users', () => {
    for (const mailbox of [null, 'doctor@house.test']) {
      const files = rendered({ doctor: { mailbox, passwordFile: '/root/password', address: '10143' } });
      for (const folder of ['postfix', 'postfix-submission']) {
        const main = files.get(`${folder}/main.cf`) ?? '';
        expect(main).toMatch(/^relay_domains = mailstead-doctor\.invalid$/m);
        expect(main).toMatch(/^relay_transport = doctor:inet:127\.0\.0\.1:10143$/m);
        expect(main.includes('doctor@house.test')).toBe(mailbox !== null && folder === 'postfix-submission');
      }
      expect([...files.values()].join()).not.toContain('/root/password');
    }
  });

  it('rotate the log file of Postfix, and nothing without one', () => {
    expect(rendered().has('logrotate/mailstead-postfix')).toBe(false);
    const files = rendered({ postfix: { logFile: '/var/log/postfix.log' } });
    expect(files.get('logrotate/mailstead-postfix')).toMatch(/^\/var\/log\/postfix\.log \{$/m);
  });
});
