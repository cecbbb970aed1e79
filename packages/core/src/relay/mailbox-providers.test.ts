import { mailboxProviderOf } from './mailbox-providers.js';

describe('the mailbox provider of an MX host', () => {
  test.each([
    ['aspmx.l.google.com', 'Google'],
    ['alt4.aspmx.l.google.com', 'Google'],
    ['aspmx2.googlemail.com', 'Google'],
    ['smtp.google.com', 'Google'],
    ['example-com.mail.protection.outlook.com', 'Microsoft'],
    ['outlook-com.olc.protection.outlook.com', 'Microsoft'],
    ['example-com.p-v1.mx.microsoft', 'Microsoft'],
    ['mx.filter.example', null],
    // Neither the end of a label nor the beginning of a name makes it one of theirs.
    ['evil-smtp.google.com', null],
    ['smtp.google.com.example', null],
    ['mail.google.com', null],
  ])('of %s is %s', (host, provider) => {
    expect(mailboxProviderOf(host)).toBe(provider);
  });
});
