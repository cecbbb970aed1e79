import type { ErrorCode } from '@mailstead/core/errors';

interface Parameter {
  description: string;
  example: string;
  /** The error of a text that names nothing. */
  error: ErrorCode;
}

const parameter = (description: string, example: string, error: ErrorCode): Parameter => ({
  description,
  example,
  error,
});

/** The parameters in paths, by name. The examples of all routes are about the same domain, mailbox and key. */
const PARAMETERS = {
  domain_name: parameter(
    'The name of the domain, in any case, as A-labels or Unicode',
    'example.com',
    'domain_not_found',
  ),
  email: parameter('The address of the mailbox, in any case', 'info@example.com', 'mailbox_not_found'),
  alias: parameter('The id of the alias; for DELETE also its address', '1', 'alias_not_found'),
  token: parameter('The token of the key, or its id', '1', 'api_key_not_found'),
  link_id: parameter('The id of the link', '1', 'portal_link_not_found'),
  session: parameter('The id of the session, or `current`', 'current', 'session_not_found'),
  key_id: parameter('The id of a key below the key of the request', '2', 'api_key_not_found'),
  partner_ref: parameter('The reference of the partner, byte by byte', 'acme', 'partner_not_found'),
  tier: parameter('The tier: `basic`, `standard`, `high` or `unlimited`', 'basic', 'tier_not_found'),
  name: parameter('The name of a schedule, or `relay-events.process`', 'retention.purge', 'job_not_found'),
  deleted_id: parameter('The id of the deletion, of `GET /deleted`', '1', 'deleted_not_found'),
  endpoint_id: parameter('The id of the webhook endpoint', '1', 'webhook_not_found'),
  suppression_id: parameter('The id of the suppression', '1', 'suppression_not_found'),
  address: parameter('The address, as the relay provider has it', 'Joe@elsewhere.example', 'suppression_not_found'),
  message: parameter(
    'The id of the message, of `GET /messages`',
    '019d0c3a4d0V1StGXR8Z5jdHi6B-myTAx',
    'message_not_found',
  ),
  file: parameter('The name of the file', 'start.js', 'route_not_found'),
};

type Segment<Path extends string> = Path extends `${infer First}/${infer Rest}` ? First | Segment<Rest> : Path;

/** The parameters of a path: `:name` is text, `*name` the segments of the rest. A `:name` must be in `PARAMETERS`. */
export type Params<Path extends string> = {
  readonly [Each in Segment<Path> as Each extends `:${infer Name extends keyof typeof PARAMETERS}`
    ? Name
    : Each extends `*${infer Name}`
      ? Name
      : never]: Each extends `*${string}` ? string[] : string;
};

/** Returns each `:name` of a path with what the OpenAPI document says about it. */
export function parametersIn(path: string): (Parameter & { name: string })[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    return { name, ...PARAMETERS[name as keyof typeof PARAMETERS] };
  });
}
