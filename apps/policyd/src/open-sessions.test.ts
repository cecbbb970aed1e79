import { OpenSessions } from './open-sessions.js';

describe('the open sessions', () => {
  it('find a session by the client, however its address is written, until it has ended', () => {
    const sessions = new OpenSessions();
    const session = sessions.add(5, 'IPv6:2001:db8::1', '4000');
    expect(sessions.beganOf('2001:db8::1', '4000')).toBe(5);
    expect(sessions.beganOf('2001:db8::1', '4001')).toBeUndefined();
    sessions.remove(session);
    expect(sessions.beganOf('2001:db8::1', '4000')).toBeUndefined();
  });

  it('find no session of a client that is not known', () => {
    const sessions = new OpenSessions();
    for (const [address, port] of [
      ['', '4000'],
      ['192.0.2.1', ''],
    ] as const) {
      sessions.add(5, address, port);
      expect(sessions.beganOf(address, port)).toBeUndefined();
    }
    expect(sessions.beganOf(undefined, undefined)).toBeUndefined();
  });

  it('find the later one of two sessions of a client, also when the earlier one ends after it began', () => {
    const sessions = new OpenSessions();
    const earlier = sessions.add(5, '192.0.2.1', '4000');
    sessions.add(9, '192.0.2.1', '4000');
    sessions.remove(earlier);
    expect(sessions.beganOf('192.0.2.1', '4000')).toBe(9);
  });
});
