import { isUtf8 } from 'node:buffer';
import { AppError } from '@mailstead/core/errors';

/** A request that came as a frame. */
export interface FrameRequest {
  /** Chosen by the caller; its answer has the same. */
  id: number;
  path: string;
  traceparent: unknown;
  body: unknown;
}

const FIELDS_OF_REQUEST = new Set(['id', 'path', 'traceparent', 'body']);
const FIELDS_OF_GREETING = new Set(['token']);

/**
 * Reads the first frame of a connection, `{"token": "…"}`.
 *
 * @returns the token @throws AppError malformed_json, malformed_request
 */
export function readGreeting(frame: Buffer): string {
  const { token } = fieldsOf(frame, FIELDS_OF_GREETING);
  if (typeof token !== 'string') throw malformed('The first frame must be {"token": "…"}');
  return token;
}

/**
 * Reads `{"id": 1, "path": "/outbound/looks", "traceparent": "…", "body": {…}}`. The body is checked by the rules of
 * its route.
 *
 * @throws AppError malformed_json, malformed_request
 */
export function readFrameRequest(frame: Buffer): FrameRequest {
  const { id, path, traceparent, body } = fieldsOf(frame, FIELDS_OF_REQUEST);
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    throw malformed('id must be a whole number from 0');
  if (typeof path !== 'string') throw malformed('path must be a text');
  return { id, path, traceparent, body };
}

function fieldsOf(frame: Buffer, known: ReadonlySet<string>): Record<string, unknown> {
  if (!isUtf8(frame)) throw malformed('Send frames in UTF-8');
  const value = parse(frame.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('A frame must be an object');
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown !== undefined) throw malformed(`The fields of this frame are ${[...known].join(', ')}`);
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_json', { detail: 'The frame is not valid JSON', cause });
  }
}

function malformed(detail: string): AppError {
  return new AppError('malformed_request', { detail });
}
