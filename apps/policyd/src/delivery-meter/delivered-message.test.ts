import { readDelivery } from './delivered-message.js';

const PLACE = 'Nov 21 07:07:20 lmtp(alice@acme.test)<7582><WopuNihDAWueHQAAg+zDdQ>: Info: ';

describe('a line of the log', () => {
  it.each([
    [`${PLACE}msgid=<1@b.test>, size=502, saved mail to INBOX`],
    [`${PLACE}sieve: msgid=<1@b.test>, size=502, stored mail into mailbox 'Junk'`],
    [`${PLACE}msgid=unspecified, size=502, saved mail to INBOX`],
    [
      'Nov  1 07:07:20 mx1 dovecot: lmtp(Alice@ACME.test)<7582><WopuNihDAWueHQAAg+zDdQ>: msgid=<1@b.test>, size=502, saved mail to INBOX',
    ],
    [
      '2026-11-21T07:07:20.123456+00:00 mx1 dovecot[812]: lmtp(alice@acme.test)<7582><WopuNihDAWueHQAAg+zDdQ:2>: msgid=<a, b@b.test>, size=502, saved mail to INBOX',
    ],
  ])('of a delivery is read as its domain and size: %s', (line) => {
    expect(readDelivery(line)).toEqual({
      domain: 'acme.test',
      bytes: 502,
      id: expect.stringMatching(/^delivery:\S{43}$/),
    });
  });

  it('has the size that Dovecot measured, even when the sender wrote a false size into the message id', () => {
    const line = `${PLACE}msgid=<x, size=1, saved mail to INBOX>, size=9000, saved mail to INBOX`;
    expect(readDelivery(line)?.bytes).toBe(9_000);
  });

  it.each([
    [`${PLACE}msgid=<1@b.test>, size=1440532, save failed to INBOX: Quota exceeded (mailbox for user is full)`],
    [`${PLACE}msgid=<x, size=1, saved mail to INBOX>, size=9000, save failed to INBOX: Quota exceeded`],
    ['Nov 21 07:07:20 lmtp(7579): Info: Connect from local'],
    [`Nov 21 07:07:20 imap-login: Info: Login: user=<${PLACE}msgid=<1@b.test>, size=5, saved mail to INBOX`],
    [`${PLACE}msgid=<1@b.test>, size=99999999999999, saved mail to INBOX`],
    [''],
  ])('without a delivery is ignored: %s', (line) => {
    expect(readDelivery(line)).toBeNull();
  });

  it('has a unique id, which is the same each time the line is read', () => {
    const line = (session: string) =>
      `Nov 21 07:07:20 lmtp(a@b.test)<1><${session}>: Info: msgid=<1>, size=5, saved mail to INBOX`;
    expect(readDelivery(line('one'))).toEqual(readDelivery(line('one')));
    expect(readDelivery(line('one'))?.id).not.toBe(readDelivery(line('two'))?.id);
  });
});
