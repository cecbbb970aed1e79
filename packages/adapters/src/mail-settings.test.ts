import { readConfig } from './config.js';
import { mailSettingsOf, parseMailServer } from './mail-settings.js';

describe('a mail server in the settings', () => {
  test.each([
    ['mail.example.com:993', 'mail.example.com', 993, 'tls'],
    ['mail.example.com:995', 'mail.example.com', 995, 'tls'],
    ['mail.example.com:465', 'mail.example.com', 465, 'tls'],
    ['MAIL.example.com:143', 'mail.example.com', 143, 'starttls'],
    ['mail.example.com:110', 'mail.example.com', 110, 'starttls'],
    ['localhost:587', 'localhost', 587, 'starttls'],
    ['mail.example.com:2525/starttls', 'mail.example.com', 2525, 'starttls'],
    ['mail.example.com:143/TLS', 'mail.example.com', 143, 'tls'],
  ])('%s', (text, host, port, security) => {
    expect(parseMailServer(text)).toEqual({ host, port, security });
  });

  test.each([
    'mail.example.com',
    'mail.example.com:',
    'mail.example.com:0',
    'mail.example.com:65536/tls',
    'mail.example.com:2525',
    'mail.example.com:2525/ssl',
    'imaps://mail.example.com:993',
    '-mail.example.com:993',
    'mail..example.com:993',
    ':993',
  ])('%s is refused at the start', (text) => {
    expect(parseMailServer(text)).toBeNull();
    expect(() => readConfig({ MAIL_POP3: text })).toThrow(/MAIL_POP3: must be like mail.example.com:993/);
  });

  test('each is null when it is not set', () => {
    expect(mailSettingsOf(readConfig({ MAIL_POP3: 'pop.example.com:995' }))).toEqual({
      imap: null,
      pop3: { host: 'pop.example.com', port: 995, security: 'tls' },
      submission: null,
    });
  });
});
