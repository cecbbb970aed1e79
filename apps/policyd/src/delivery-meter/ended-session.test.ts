import { readEndedSession } from './ended-session.js';

const PLACE = 'Nov 21 07:07:20 imap(alice@acme.test)<7582><WopuNihDAWueHQAAg+zDdQ>: Info: ';

describe('a line of the log', () => {
  it.each([
    [`${PLACE}Disconnected: Logged out deleted=0 expunged=0 in=79 out=685839`],
    [`${PLACE}Connection closed (UID FETCH finished 0.010 secs ago) deleted=0 in=79 out=685839`],
    [
      'Nov  1 07:07:20 mx1 dovecot: pop3(Alice@ACME.test)<7582><Wopu>: Disconnected: Logged out top=0/0 in=1 out=685839',
    ],
  ])('of a session that ended is read as the bytes that were sent: %s', (line) => {
    expect(readEndedSession(line)).toEqual({
      domain: 'acme.test',
      bytes: 685_839,
      direction: 'out',
      id: expect.stringMatching(/^session:\S{43}$/),
    });
  });

  it('has the bytes at its end, whatever the client wrote before', () => {
    expect(readEndedSession(`${PLACE}Disconnected: x in=1 out=5 deleted=0 in=79 out=700`)?.bytes).toBe(700);
  });

  it.each([
    [`${PLACE}Disconnected: Logged out deleted=0 in=79 out=0`],
    [`${PLACE}Disconnected: Logged out in=79 out=685839 deleted=0`],
    [`${PLACE}ID sent: name=x in=1 out=5`],
    [`Nov 21 07:07:20 imap-login: Info: Login: user=<${PLACE}Disconnected: in=1 out=5`],
    [''],
  ])('without an ended session is ignored: %s', (line) => {
    expect(readEndedSession(line)).toBeNull();
  });
});
