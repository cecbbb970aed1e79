import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AppError } from '@mailstead/core/errors';
import getRawBody from 'raw-body';

export const DEFAULT_BODY_LIMIT_BYTES = 256 * 1_024;

/** Reads the body of a request. Returns undefined when the request has no body. */
export type BodyReader = (request: IncomingMessage) => Promise<unknown>;

const DECOMPRESSORS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

type ContentEncoding = keyof typeof DECOMPRESSORS;

/** The content encodings that the service reads, for the header `Accept-Encoding` of a 415. */
export const CONTENT_ENCODINGS = Object.keys(DECOMPRESSORS).join(', ');

/** The requests whose rest will not arrive, with the error to respond with. */
const interruptions = new WeakMap<IncomingMessage, AppError>();

/** Makes the reader of the request's body throw the error, because Node reads no more of the request. */
export function interruptBody(request: IncomingMessage, error: AppError): void {
  interruptions.set(request, error);
  if (request.listenerCount('error') > 0) request.emit('error', error);
}

/** Reads JSON of at most `limitBytes`, counted after decompression. */
export function jsonReader(limitBytes: number): BodyReader {
  return async (request) => {
    const bytes = await readBytes(request, limitBytes, ['application/json']);
    return bytes === undefined ? undefined : parseJson(bytes.toString('utf8'));
  };
}

/** Reads the bytes of a body without parsing them. SNS sends its JSON as `text/plain`. */
export function rawReader(limitBytes: number): BodyReader {
  return (request) => readBytes(request, limitBytes, ['application/json', 'text/plain']);
}

/**
 * @throws AppError unsupported_media_type, unsupported_content_encoding, body_too_large; malformed_request for a
 * charset other than UTF-8, and for a body that is cut or does not decompress
 */
async function readBytes(request: IncomingMessage, limitBytes: number, types: string[]): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined;
  const interruption = interruptions.get(request);
  if (interruption !== undefined) throw interruption;
  if (!types.includes(mediaTypeOf(request))) {
    if (await isEmpty(request)) return undefined;
    throw new AppError('unsupported_media_type');
  }
  const encoding = contentEncodingOf(request);
  const bytes = await decompressed(encoding, await receive(request, limitBytes), limitBytes);
  if (bytes.length === 0) return undefined;
  if (!isDeclaredUtf8(request) || !isUtf8(bytes)) {
    throw new AppError('malformed_request', { detail: 'Send the body in UTF-8' });
  }
  return bytes;
}

async function receive(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { length: request.headers['content-length'] ?? null, limit: limitBytes });
  } catch (error) {
    // Most clients read the response only after they have sent the whole body.
    if ((error as { type?: unknown }).type === 'entity.too.large') await finished(request.resume()).catch(() => null);
    throw error;
  }
}

async function decompressed(encoding: ContentEncoding | null, bytes: Buffer, limitBytes: number): Promise<Buffer> {
  if (encoding === null || bytes.length === 0) return bytes;
  try {
    return await DECOMPRESSORS[encoding](bytes, { maxOutputLength: limitBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new AppError('body_too_large', { cause });
    throw new AppError('malformed_request', { detail: `The body is not complete and valid ${encoding}`, cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_json', { cause });
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

/** Whether a body of a length that was not told ends before its first byte. */
async function isEmpty(request: IncomingMessage): Promise<boolean> {
  if (request.headers['content-length'] !== undefined) return false;
  return new Promise((resolve) => {
    request.once('end', () => resolve(true));
    for (const event of ['data', 'error', 'close']) request.once(event, () => resolve(false));
  });
}

function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function contentEncodingOf({ headers }: IncomingMessage): ContentEncoding | null {
  const given = (headers['content-encoding'] ?? '').trim().toLowerCase();
  // RFC 9110, 8.4.1.3.
  const name = given === 'x-gzip' ? 'gzip' : given;
  if (name === '' || name === 'identity') return null;
  if (Object.hasOwn(DECOMPRESSORS, name)) return name as ContentEncoding;
  throw new AppError('unsupported_content_encoding');
}

/**
 * Whether every charset parameter of the media type is UTF-8. Without a charset, JSON is UTF-8 (RFC 8259 section 8.1).
 */
function isDeclaredUtf8({ headers }: IncomingMessage): boolean {
  const charsets = (headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^";]*)/gi);
  return [...charsets].every(([, charset = '']) => /^utf-?8$/i.test(charset.trim()));
}
