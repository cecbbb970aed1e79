import { readTime } from '../read-time.js';
import type { BounceType, RelayEvent, RelayEventKind } from './relay-event.js';

const KINDS: readonly RelayEventKind[] = ['bounce', 'complaint', 'other'];
const BOUNCE_TYPES: readonly (BounceType | null)[] = ['permanent', 'transient', 'undetermined', null];

/** The event as the inbox stores it: JSON. */
export function writeStoredEvent(event: RelayEvent): string {
  const spellings = event.spellings === undefined ? {} : { spellings: [...event.spellings] };
  return JSON.stringify({
    ...event,
    diagnostics: [...event.diagnostics],
    statuses: [...event.statuses],
    ...spellings,
  });
}

/**
 * Reads a stored event. Another version of the service may have written it, so every field is checked.
 *
 * @throws Error that names the field.
 */
export function readStoredEvent(text: string): RelayEvent {
  const fields = parse(text);
  return {
    providerId: textOf(fields, 'providerId'),
    kind: oneOf(fields, 'kind', KINDS),
    bounceType: oneOf(fields, 'bounceType', BOUNCE_TYPES),
    attempted: oneOf(fields, 'attempted', [true, false]),
    subType: textOrNullOf(fields, 'subType'),
    notSpam: oneOf(fields, 'notSpam', [true, false]),
    messageId: textOf(fields, 'messageId'),
    sentAt: dateOf(fields, 'sentAt'),
    sourceDomain: textOrNullOf(fields, 'sourceDomain'),
    recipients: textsOf(fields, 'recipients'),
    sender: textOrNullOf(fields, 'sender'),
    diagnostics: textsByRecipient(fields, 'diagnostics'),
    // A process of the former release stores events without them. @until 5.3
    statuses: fields.statuses === undefined ? new Map() : textsByRecipient(fields, 'statuses'),
    occurredAt: dateOf(fields, 'occurredAt'),
    ...(fields.spellings === undefined ? {} : { spellings: textsByRecipient(fields, 'spellings') }),
    ...(fields.isReceipt === undefined ? {} : { isReceipt: oneOf(fields, 'isReceipt', [true, false]) }),
    ...(fields.tag === undefined ? {} : { tag: textOrNullOf(fields, 'tag') }),
  };
}

type Fields = Record<string, unknown>;

function textsByRecipient(fields: Fields, name: string): Map<string, string> {
  const pairs = fields[name];
  const isPair = (each: unknown): each is [string, string] =>
    Array.isArray(each) && each.length === 2 && each.every((text) => typeof text === 'string');
  return Array.isArray(pairs) && pairs.every(isPair) ? new Map(pairs) : refuseField(name);
}

function parse(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error('The stored event is not JSON', { cause });
  }
  if (typeof value !== 'object' || value === null) throw new Error('The stored event is not an object');
  return value as Fields;
}

function oneOf<T>(fields: Fields, name: string, values: readonly T[]): T {
  const value = fields[name] as T;
  return values.includes(value) ? value : refuseField(name);
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : refuseField(name);
}

function textOrNullOf(fields: Fields, name: string): string | null {
  return fields[name] === null ? null : textOf(fields, name);
}

function textsOf(fields: Fields, name: string): string[] {
  const value = fields[name];
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : refuseField(name);
}

function dateOf(fields: Fields, name: string): Date {
  return readTime(textOf(fields, name)) ?? refuseField(name);
}

function refuseField(name: string): never {
  throw new Error(`The stored event's ${name} is not of the expected type`);
}
