import { invalidField } from '@mailstead/core/errors';
import { fieldsOf } from './fields/field-notes.js';
import type { Route } from './route.js';

/** The note of the field `revision` of a response. */
export const REVISION = {
  min: 1,
  description:
    'Raised by every change by a caller of what a PUT sets, not by counts, jobs and the verification; also the `ETag`, for `If-Match` of a PUT',
  example: 1,
};

/** An entity tag (RFC 9110 section 8.8.3). */
const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/;
const REVISION_TAG = /^[1-9]\d{0,14}$/;

/** Whether the route reads or changes one thing that has a revision. */
export function isRevised({ method, response }: Route): boolean {
  if (response === null || Array.isArray(response)) return false;
  return (method === 'get' || method === 'put') && fieldsOf(response).has('revision');
}

export function takesIfMatch(route: Route): boolean {
  return route.method === 'put' && isRevised(route);
}

/** @param result the response of a route with a revision. */
export function etagOf(result: unknown): string {
  return `"${String(Reflect.get(result as object, 'revision'))}"`;
}

/**
 * Reads `If-Match` (RFC 9110 section 13.1.1). A weak tag, and one that is no revision, match nothing.
 *
 * @returns the revisions that match; undefined: any
 * @throws AppError validation_failed
 */
export function expectedRevisions(header: string | undefined): number[] | undefined {
  const value = header?.trim();
  if (value === undefined || value === '*') return undefined;
  const revisions: number[] = [];
  let count = 0;
  for (let rest = value; rest !== ''; ) {
    const tag = TAG.exec(rest);
    if (tag !== null) {
      count += 1;
      const [text, weak, opaque = ''] = tag;
      if (weak === undefined && REVISION_TAG.test(opaque)) revisions.push(Number(opaque));
      rest = rest.slice(text.length).trimStart();
    }
    if (rest !== '' && !rest.startsWith(',')) throw malformed();
    rest = rest.slice(1).trimStart();
  }
  if (count === 0) throw malformed();
  return revisions;
}

function malformed() {
  return invalidField('If-Match', 'must be *, or the ETag of a response such as "3", or several with commas');
}
