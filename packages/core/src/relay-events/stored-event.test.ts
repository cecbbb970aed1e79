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
  statuses: new Map([['jane@example.net', '5.1.1']]),
  occurredAt: new Date('2026-03-15T12:00:00.000Z'),
  tag: 'mx1_example-4dGz1V',
};

test('an event is the same after it was stored and read', () => {
  expect(readStoredEvent(writeStoredEvent(event))).toEqual(event);
});

test('a read receipt is one after it was stored and read, and no text is', () => {
  expect(readStoredEvent(writeStoredEvent({ ...event, isReceipt: true }))).toEqual({ ...event, isReceipt: true });
  const odd = JSON.stringify({ ...(JSON.parse(writeStoredEvent(event)) as object), isReceipt: 'yes' });
  expect(() => readStoredEvent(odd)).toThrow('isReceipt');
});

test('an event that was stored without a tag has none', () => {
  const { tag: _, ...untagged } = event;
  expect(readStoredEvent(writeStoredEvent(untagged))).toEqual(untagged);
});

test.each(Object.keys(event))('names the field %s when it is missing or has a wrong type', (field) => {
  for (const odd of [...(field === 'tag' ? [] : [undefined]), 7, {}, [7], 'odd'.repeat(0)]) {
    const read = () =>
      readStoredEvent(JSON.stringify({ ...(JSON.parse(writeStoredEvent(event)) as object), [field]: odd }));
    if (odd === undefined && field === 'statuses') continue;
    if (odd !== '' || !['providerId', 'messageId', 'sourceDomain', 'subType', 'sender', 'tag'].includes(field)) {
      expect(read).toThrow(field);
    }
  }
});

test('an event that a process of the former release stored has no status codes', () => {
  const { statuses: _, ...former } = JSON.parse(writeStoredEvent(event)) as Record<string, unknown>;
  expect(readStoredEvent(JSON.stringify(former))).toEqual({ ...event, statuses: new Map() });
});

test.each(['', 'not json', 'null', '7', '"text"'])('refuses %j', (text) => {
  expect(() => readStoredEvent(text)).toThrow(/stored event/);
});
