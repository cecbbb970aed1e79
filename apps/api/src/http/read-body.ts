import { AppError } from '@mailstead/core/errors';
import express, { type Request, type RequestHandler, type Response } from 'express';

export const DEFAULT_BODY_LIMIT_BYTES = 256 * 1_024;

/** Reads the body of a request. Returns undefined when the request has no body. */
export type BodyReader = (request: Request, response: Response) => Promise<unknown>;

/** Reads JSON of at most `limitBytes`. */
export function jsonReader(limitBytes: number): BodyReader {
  return reader(express.json({ limit: limitBytes, type: isJson, strict: false }), isJson);
}

/** Reads the bytes of a body without parsing them. SNS sends its JSON as `text/plain`. */
export function rawReader(limitBytes: number): BodyReader {
  const accepts = (request: { headers: Request['headers'] }) => isJson(request) || mediaType(request) === 'text/plain';
  return reader(express.raw({ limit: limitBytes, type: accepts }), accepts);
}

function reader(parse: RequestHandler, accepts: (request: Request) => boolean): BodyReader {
  return async (request, response) => {
    if (!hasBody(request)) return undefined;
    if (!accepts(request)) {
      if (await isEmpty(request)) return undefined;
      throw new AppError('unsupported_media_type');
    }
    await new Promise<void>((resolve, reject) => {
      parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    return request.body as unknown;
  };
}

function hasBody({ headers }: Request): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

/** Whether a body of a length that was not told ends before its first byte. */
async function isEmpty(request: Request): Promise<boolean> {
  if (request.headers['content-length'] !== undefined) return false;
  return new Promise((resolve) => {
    request.once('end', () => resolve(true));
    for (const event of ['data', 'error', 'close']) request.once(event, () => resolve(false));
  });
}

function isJson(request: { headers: Request['headers'] }): boolean {
  return mediaType(request) === 'application/json';
}

function mediaType({ headers }: { headers: Request['headers'] }): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
