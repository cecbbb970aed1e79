import { SUSPENSION_CAUSES } from '@mailstead/core/domains/suspension';
import { AppError, ERRORS, type ErrorCode } from '@mailstead/core/errors';
import type { Schema } from '../fields/field-notes.js';
import { problemOf, statusOf } from '../problem.js';

const REQUEST_ID = '0f4f7a4e-3d0b-4d0c-9d8e-2f1c6c1b7a55';

/** Members of some problems, as `AppError.members` has them. */
const MEMBERS: Record<string, Schema> = {
  existing: {
    type: 'object',
    description: "On a duplicate of the caller's own: the resource that exists",
    properties: { id: { type: 'integer', description: 'The id of the resource' } },
    required: ['id'],
    additionalProperties: false,
  },
  aliases: {
    type: 'array',
    description: 'Of `domain_has_foreign_aliases`: the aliases that would deliver across partners',
    items: {
      type: 'object',
      properties: {
        id: { type: 'integer', description: 'The id of the alias' },
        address: { type: 'string', description: 'The address of the alias' },
        destination: { type: 'string', description: 'The address to which it delivers' },
      },
      required: ['id', 'address', 'destination'],
      additionalProperties: false,
    },
  },
  billing_ref: {
    type: ['string', 'null'],
    description: 'Of `billing_ref_differs`: the subscription that pays for the domain',
  },
  suspension_causes: {
    type: 'array',
    description: 'Of `suspended_by_operator`: the causes that stand',
    items: { type: 'string', enum: [...SUSPENSION_CAUSES] },
  },
  brand: {
    type: 'object',
    description: 'Of `invalid_code`: what the partner of a link that was used or expired shows its customers',
    properties: {
      name: { type: ['string', 'null'], description: 'The name that customers know' },
      support_email: { type: ['string', 'null'], description: 'The address that customers write to' },
      support_url: { type: ['string', 'null'], description: 'The page where customers find help' },
    },
    required: ['name', 'support_email', 'support_url'],
    additionalProperties: false,
  },
  revision: { type: 'integer', description: 'Of `changed_meanwhile`: the present revision' },
  limit: { type: 'integer', description: 'Of a quota error: the limit' },
  used: { type: 'integer', description: 'Of a quota error: how many exist' },
};

/** The schema of problem details (RFC 9457). */
export function problemSchema(): Schema {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const statuses = [...new Set(codes.map((code) => statusOf(ERRORS[code].kind)))].sort((left, right) => left - right);
  return {
    type: 'object',
    description: 'Problem details (RFC 9457)',
    properties: {
      type: { type: 'string', description: 'The path of the error code in the table of this service' },
      title: { type: 'string', description: 'The text of the HTTP status' },
      status: { type: 'integer', enum: statuses, description: 'The HTTP status' },
      detail: { type: 'string', description: 'What is wrong, for people' },
      code: { type: 'string', enum: codes, description: 'A stable word for programs' },
      request_id: { type: 'string', description: 'The id of the request, as in `X-Request-Id`' },
      errors: {
        type: 'array',
        description:
          'On a 422: every wrong field; of unknown names and of the items of a list the first 20 and how many more',
        items: {
          type: 'object',
          properties: {
            field: { type: 'string', description: 'The path of the field, such as `items[3].count`' },
            message: { type: 'string', description: 'What the field must be' },
          },
          required: ['field', 'message'],
          additionalProperties: false,
        },
      },
      ...MEMBERS,
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    additionalProperties: false,
  };
}

/** Returns one example for each error code that the responses refer to, as the service would send it. */
export function exampleProblems(responses: Record<string, Schema>): Record<string, Schema> {
  const referred = JSON.stringify(responses);
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) =>
    referred.includes(`"#/components/examples/${code}"`),
  );
  return Object.fromEntries(codes.map((code) => [code, { value: problemOf(exampleError(code), REQUEST_ID) }]));
}

function exampleError(code: ErrorCode): AppError {
  if (code === 'validation_failed') {
    const errors = [{ field: 'name', message: 'is required' }];
    return new AppError(code, { detail: 'name is required', errors });
  }
  if (code === 'domain_exists') return new AppError(code, { members: { existing: { id: 7 } } });
  if (code === 'billing_ref_differs') return new AppError(code, { members: { billing_ref: 'sub_1' } });
  if (code === 'suspended_by_operator') return new AppError(code, { members: { suspension_causes: ['abuse'] } });
  if (code === 'changed_meanwhile') return new AppError(code, { members: { revision: 4 } });
  return new AppError(code);
}
