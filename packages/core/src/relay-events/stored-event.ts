import { type BounceType, isNeverAttempted, type RelayEvent, type RelayEventKind } from './relay-event.js';

const KINDS: readonly RelayEventKind[] = ['bounce', 'complaint', 'other'];
const BOUNCE_TYPES: readonly (BounceType | null)[] = ['permanent', 'transient', 'undetermined', null];

/** The event as the inbox stores it: JSON, with every field that the former release reads. @until 5.2 */
export function writeStoredEvent(event: RelayEvent): string {
  return JSON.stringify({ ...event, diagnostics: [...event.diagnostics] });
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
    attempted: attemptedOf(fields),
    subType: textOrNullOf(fields, 'subType'),
    notSpam: oneOf(fields, 'notSpam', [true, false]),
    messageId: textOf(fields, 'messageId'),
    sentAt: dateOf(fields, 'sentAt'),
    sourceDomain: textOrNullOf(fields, 'sourceDomain'),
    recipients: textsOf(fields, 'recipients'),
    sender: fields.sender === undefined ? null : textOrNullOf(fields, 'sender'),
    diagnostics: diagnosticsOf(fields),
    occurredAt: dateOf(fields, 'occurredAt'),
  };
}

type Fields = Record<string, unknown>;

/**
 * A former release stored no `attempted`, or knew fewer subtypes that were never attempted; rows are kept for 35 days.
 * @until 5.2
 */
function attemptedOf(fields: Fields): boolean {
  const isPossible = !isNeverAttempted(textOrNullOf(fields, 'subType'));
  return fields.attempted === undefined ? isPossible : oneOf(fields, 'attempted', [true, false]) && isPossible;
}

/** The former release did not store them. @until 5.2 */
function diagnosticsOf({ diagnostics = [] }: Fields): Map<string, string> {
  const isPair = (each: unknown): each is [string, string] =>
    Array.isArray(each) && each.length === 2 && each.every((text) => typeof text === 'string');
  return Array.isArray(diagnostics) && diagnostics.every(isPair) ? new Map(diagnostics) : refuseField('diagnostics');
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
  const date = new Date(textOf(fields, name));
  return Number.isNaN(date.getTime()) ? refuseField(name) : date;
}

function refuseField(name: string): never {
  throw new Error(`The stored event's ${name} is not of the expected type`);
}
