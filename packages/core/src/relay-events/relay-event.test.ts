import { countedKindOf, diagnosticOf, type RelayEvent, reportedKindOf, suppresses } from './relay-event.js';

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
      expect(countedKindOf(anEvent({ subType }))).toBe('bounce');
    },
  );

  test.each([
    ['a transient bounce', { bounceType: 'transient' }],
    ['an undetermined bounce', { bounceType: 'undetermined' }],
    ['a bounce that was never attempted', { attempted: false }],
    ['a bounce of a read receipt', { isReceipt: true }],
    ['a complaint', { kind: 'complaint', bounceType: null }],
    ['a delivery', { kind: 'other', bounceType: null }],
  ] as const)('not %s', (_, fields) => {
    expect(countedKindOf(anEvent(fields))).not.toBe('bounce');
  });

  test('a bounce of a read receipt is reported as what it would be', () => {
    expect(reportedKindOf(anEvent({ isReceipt: true }))).toBe('bounce');
  });
});

describe('what counts as a complaint', () => {
  const complaint = { kind: 'complaint', bounceType: null, subType: null } as const;

  test('a complaint', () => {
    expect(countedKindOf(anEvent(complaint))).toBe('complaint');
  });

  test.each([
    ['a complaint that was withdrawn', { ...complaint, notSpam: true }],
    ['a complaint that was never attempted', { ...complaint, attempted: false }],
    ['a bounce', {}],
  ] as const)('not %s', (_, fields) => {
    expect(countedKindOf(anEvent(fields))).not.toBe('complaint');
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
    ['a bounce of a read receipt', '5.1.1', { isReceipt: true }],
    ['one of several possible complainers', '', { kind: 'complaint', bounceType: null, named: 2 }],
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

describe('what is known of a recipient', () => {
  const complaint = {
    kind: 'complaint',
    bounceType: null,
    recipients: ['jane@example.net', 'joe@example.net'],
    diagnostics: new Map([['jane@example.net', 'abuse']]),
  } as const;
  const known = (fields: Partial<RelayEvent>) => diagnosticOf(anEvent(fields), 'jane@example.net');

  test('of a complaint with several recipients, that it is one of them, also when only some are in the event', () => {
    expect(known({ ...complaint, recipients: [...complaint.recipients] })).toBe('one of 2 possible');
    expect(known({ ...complaint, recipients: ['jane@example.net'], named: 2_001 })).toBe('one of 2001 possible');
  });

  test('of a complaint with one recipient, and of bounces, what the provider says; else nothing', () => {
    expect(known({ ...complaint, recipients: ['jane@example.net'] })).toBe('abuse');
    const diagnostics = new Map([['jane@example.net', '550 5.1.1']]);
    expect(known({ recipients: [...complaint.recipients], named: 2, diagnostics })).toBe('550 5.1.1');
    expect(known({})).toBeNull();
  });
});
