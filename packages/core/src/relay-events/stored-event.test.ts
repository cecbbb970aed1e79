import type { RelayEvent } from './relay-event.js';
import { readStoredEvent, writeStoredEvent } from './stored-event.js';

const event: RelayEvent = {
  providerId: 'p1',
  kind: 'bounce',
  bounceType: 'permanent',
  attempted: false,
  subType: null,
  notSpam: false,
  messageId: 'm1',
  sentAt: new Date('2026-03-15T11:00:00.000Z'),
  sourceDomain: null,
  recipients: ['jane@example.net', '\u0000"\\\ud800'],
  sender: 'news@example.com',
  diagnostics: new Map([['jane@example.net', 'smtp; 550 5.1.1']]),
  occurredAt: new Date('2026-03-15T12:00:00.000Z'),
};

test('an event is the same after it was stored and read', () => {
  expect(readStoredEvent(writeStoredEvent(event))).toEqual(event);
});

/** Fields that the former release did not store. */
const NEW_FIELDS = ['attempted', 'sender', 'diagnostics'];

test.each(Object.keys(event))('names the field %s when it is missing or has a wrong type', (field) => {
  for (const odd of [undefined, 7, {}, [7], 'odd'.repeat(0)]) {
    const read = () =>
      readStoredEvent(JSON.stringify({ ...(JSON.parse(writeStoredEvent(event)) as object), [field]: odd }));
    const isStoredByFormerRelease = odd === undefined && NEW_FIELDS.includes(field);
    if (
      !isStoredByFormerRelease &&
      (odd !== '' || !['providerId', 'messageId', 'sourceDomain', 'subType', 'sender'].includes(field))
    ) {
      expect(read).toThrow(field);
    }
  }
});

test.each([
  ['OnAccountSuppressionList', false],
  ['Suppressed', true],
  ['General', true],
  [null, true],
])('an event that the former release stored, with the subtype %s, has attempted %s', (subType, attempted) => {
  const { attempted: _attempted, sender: _sender, diagnostics: _diagnostics, ...former } = { ...event, subType };
  const missing = { attempted, sender: null, diagnostics: new Map() };
  expect(readStoredEvent(JSON.stringify(former))).toEqual({ ...event, subType, ...missing });
});

test.each(['OnTenantSuppressionList', 'EmailValidationSuppressed', 'UnsubscribedRecipient'])(
  'an event of the subtype %s that a former release stored as attempted was not',
  (subType) => {
    expect(readStoredEvent(JSON.stringify({ ...event, attempted: true, subType, diagnostics: [] })).attempted).toBe(
      false,
    );
  },
);

test('the stored text of an event that was never attempted keeps the subtype, which the former release reads', () => {
  const stored: unknown = JSON.parse(writeStoredEvent({ ...event, subType: 'OnAccountSuppressionList' }));
  expect(stored).toMatchObject({ subType: 'OnAccountSuppressionList' });
});

test.each(['', 'not json', 'null', '7', '"text"'])('refuses %j', (text) => {
  expect(() => readStoredEvent(text)).toThrow(/stored event/);
});
