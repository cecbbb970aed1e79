import { AppError } from '@mailstead/core/errors';
import { readTime } from '@mailstead/core/read-time';

/** A JSON object of a provider's event. The `where` parameters below name the value in the error. */
export type Fields = Record<string, unknown>;

/** @throws AppError relay_event_malformed */
export function readFields(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(`${where} is not an object`);
  return value as Fields;
}

/** @throws AppError relay_event_malformed, also for an empty text */
export function readText(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw malformed(`${where} is not a text`);
  return value;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** @throws AppError relay_event_malformed */
export function readDate(value: unknown, where: string): Date {
  const date = readTime(readText(value, where));
  if (date === null) throw malformed(`${where} is not a time`);
  return date;
}

/**
 * @returns the addresses without display names, in lower case and without duplicates, as `RelayEvent.recipients` has
 * them
 */
export function addressesOf(recipients: string[]): string[] {
  return [...new Set(recipients.map((recipient) => addressIn(recipient).toLowerCase()))];
}

/** `Jane <jane@example.com>` → `jane@example.com`. */
export function addressIn(text: string): string {
  const [open, close] = [text.lastIndexOf('<'), text.lastIndexOf('>')];
  return (open !== -1 && close > open ? text.slice(open + 1, close) : text).trim();
}

export function malformed(what: string): AppError {
  return new AppError('relay_event_malformed', { detail: `The relay event has not the expected shape: ${what}` });
}
