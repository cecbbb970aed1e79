import { countsAsBounce, countsAsComplaint, type RelayEvent } from './relay-event.js';

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
