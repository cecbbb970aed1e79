import { countsAsBounce, countsAsComplaint, type RelayEvent, suppresses } from './relay-event.js';

function anEvent(fields: Partial<RelayEvent>): RelayEvent {
  return {
    providerId: 'p1',
    kind: 'bounce',
    bounceType: 'permanent',
    attempted: true,
    subType: 'General',
    notSpam: false,
    messageId: 'm1',
    sentAt: new Date('2026-03-15T11:00:00.000Z'),
    sourceDomain: 'example.com',
    recipients: ['jane@example.net'],
    sender: null,
    diagnostics: new Map(),
    statuses: new Map(),
    occurredAt: new Date('2026-03-15T12:00:00.000Z'),
    ...fields,
  };
}

describe('what counts as a bounce', () => {
  test.each(['General', 'OnAccountSuppressionList', 'SomethingNew', null])(
    'a permanent bounce with any subtype: %s',
    (subType) => {
      expect(countsAsBounce(anEvent({ subType }))).toBe(true);
    },
  );

  test.each([
    ['a transient bounce', { bounceType: 'transient' }],
    ['an undetermined bounce', { bounceType: 'undetermined' }],
    ['a bounce that was never attempted', { attempted: false }],
    ['a complaint', { kind: 'complaint', bounceType: null }],
    ['a delivery', { kind: 'other', bounceType: null }],
  ] as const)('not %s', (_, fields) => {
    expect(countsAsBounce(anEvent(fields))).toBe(false);
  });
});

describe('what counts as a complaint', () => {
  const complaint = { kind: 'complaint', bounceType: null, subType: null } as const;

  test('a complaint', () => {
    expect(countsAsComplaint(anEvent(complaint))).toBe(true);
  });

  test.each([
    ['a complaint that was withdrawn', { ...complaint, notSpam: true }],
    ['a complaint that was never attempted', { ...complaint, attempted: false }],
    ['a bounce', {}],
  ] as const)('not %s', (_, fields) => {
    expect(countsAsComplaint(anEvent(fields))).toBe(false);
  });
});

describe('what suppresses its recipient', () => {
  const withStatus = (status: string, fields: Partial<RelayEvent> = {}) =>
    suppresses(anEvent({ statuses: new Map([['jane@example.net', status]]), ...fields }), 'jane@example.net');

  test.each(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])('a permanent bounce with the status %s', (status) => {
    expect(withStatus(status)).toBe('bounce');
    expect(withStatus(status, { recipients: ['jane@example.net', 'other@example.net'] })).toBe('bounce');
  });

  test('a permanent bounce of the subtype NoEmail, whatever its status', () => {
    expect(withStatus('5.7.1', { subType: 'NoEmail' })).toBe('bounce');
    expect(suppresses(anEvent({ subType: 'NoEmail' }), 'jane@example.net')).toBe('bounce');
  });

  test('a complaint', () => {
    expect(suppresses(anEvent({ kind: 'complaint', bounceType: null }), 'jane@example.net')).toBe('complaint');
  });

  test.each([
    ['a refusal of the content', '5.7.1', {}],
    ['a full mailbox', '5.2.2', {}],
    ['an unknown status', '5.0.0', {}],
    ['a transient bounce', '5.1.1', { bounceType: 'transient' }],
    ['a bounce of unknown type', '5.1.1', { bounceType: 'undetermined' }],
    ['a bounce that was never attempted', '5.1.1', { attempted: false }],
    ['NoEmail that is transient', '4.4.7', { bounceType: 'transient', subType: 'NoEmail' }],
    ['a complaint that was never attempted', '', { kind: 'complaint', bounceType: null, attempted: false }],
    ['a complaint that was withdrawn', '', { kind: 'complaint', bounceType: null, notSpam: true }],
    ['a delivery', '5.1.1', { kind: 'other', bounceType: null }],
  ] as const)('not %s', (_, status, fields) => {
    expect(withStatus(status, fields)).toBeNull();
  });

  test('not the other recipients of the same bounce', () => {
    const event = anEvent({
      recipients: ['jane@example.net', 'full@example.net'],
      statuses: new Map([
        ['jane@example.net', '5.1.1'],
        ['full@example.net', '5.2.2'],
      ]),
    });
    expect(event.recipients.map((recipient) => suppresses(event, recipient))).toEqual(['bounce', null]);
  });
});
