/**
 * The kind of an error, for the caller. One table in the API maps it to an HTTP status, and one in the job runner to a
 * retry or to a dead job.
 */
export type ErrorKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'over_quota'
  | 'not_found'
  | 'duplicate'
  | 'in_progress'
  | 'conflict'
  | 'precondition'
  | 'gone'
  | 'method_not_allowed'
  | 'timed_out'
  | 'too_large'
  | 'headers_too_large'
  | 'expectation_failed'
  | 'unsupported_media_type'
  | 'too_many'
  | 'unavailable'
  | 'internal';

interface ErrorEntry {
  kind: ErrorKind;
  /** The default detail; the text of the specification when it gives one. */
  detail: string;
}

/**
 * All errors that the service responds with: the stable `code` for programs, the kind, and the text for people.
 * `docs/error-codes.md` lists the same errors, and a test compares the two.
 */
export const ERRORS = {
  missing_token: { kind: 'unauthenticated', detail: 'Missing bearer token' },
  invalid_token: { kind: 'unauthenticated', detail: 'Invalid token' },
  api_key_inactive: { kind: 'unauthenticated', detail: 'API key is inactive' },
  api_key_expired: { kind: 'unauthenticated', detail: 'API key has expired' },
  invalid_session: { kind: 'unauthenticated', detail: 'Session has ended' },
  invalid_code: { kind: 'unauthenticated', detail: 'Link is wrong, used or expired' },
  session_needs_tls: { kind: 'forbidden', detail: 'Sessions need TLS' },
  origin_not_allowed: { kind: 'forbidden', detail: 'Origin is not allowed' },
  csrf_token_required: { kind: 'forbidden', detail: 'X-CSRF-Token of the session required' },
  master_token_required: { kind: 'forbidden', detail: 'Master token required' },
  scope_not_allowed: { kind: 'forbidden', detail: 'Token scope does not allow this' },
  key_read_only: { kind: 'forbidden', detail: 'Key may only read' },
  key_limited_to_domains: { kind: 'forbidden', detail: 'Key is limited to some domains' },
  client_token_required: { kind: 'forbidden', detail: 'API key of a partner required' },
  link_not_allowed: { kind: 'forbidden', detail: 'Link does not allow this' },
  partner_suspended: { kind: 'forbidden', detail: 'Partner is suspended' },
  outbound_fields_forbidden: {
    kind: 'forbidden',
    detail: 'Client tokens cannot modify outbound_tier, outbound_enforcement or outbound_status',
  },
  outbound_limit_above_operator: { kind: 'forbidden', detail: 'The limit is above what the operator allows' },
  parent_domain_of_other_partner: { kind: 'forbidden', detail: 'Parent domain belongs to another partner' },
  domain_name_reserved: { kind: 'forbidden', detail: 'Domain name is reserved' },
  suspended_by_operator: { kind: 'forbidden', detail: 'Suspended by the operator' },
  complaint_not_liftable: { kind: 'forbidden', detail: 'Only an operator lifts a suppression that is a complaint' },
  storage_quota_above_plan: { kind: 'forbidden', detail: 'Storage quota is above what the plan allows' },
  brand_locked: { kind: 'forbidden', detail: 'The operator has locked the brand' },
  domain_quota_exceeded: { kind: 'over_quota', detail: 'Domain quota exceeded' },
  mailbox_quota_exceeded: { kind: 'over_quota', detail: 'Mailbox quota exceeded' },
  alias_quota_exceeded: { kind: 'over_quota', detail: 'Alias quota exceeded' },
  domain_not_found: { kind: 'not_found', detail: 'Domain not found' },
  mailbox_not_found: { kind: 'not_found', detail: 'Mailbox not found' },
  alias_not_found: { kind: 'not_found', detail: 'Alias not found' },
  api_key_not_found: { kind: 'not_found', detail: 'API key not found' },
  session_not_found: { kind: 'not_found', detail: 'Session not found' },
  portal_link_not_found: { kind: 'not_found', detail: 'Link not found' },
  partner_not_found: { kind: 'not_found', detail: 'Partner not found' },
  tier_not_found: { kind: 'not_found', detail: 'Tier not found' },
  deleted_not_found: { kind: 'not_found', detail: 'Deleted domain or mailbox not found' },
  job_not_found: { kind: 'not_found', detail: 'Job not found' },
  message_not_found: { kind: 'not_found', detail: 'Message not found' },
  webhook_not_found: { kind: 'not_found', detail: 'Webhook endpoint not found' },
  suppression_not_found: { kind: 'not_found', detail: 'Suppression not found' },
  route_not_found: { kind: 'not_found', detail: 'No such path' },
  domain_exists: { kind: 'duplicate', detail: 'Domain already exists' },
  mailbox_exists: { kind: 'duplicate', detail: 'Mailbox already exists' },
  alias_exists: { kind: 'duplicate', detail: 'Alias already exists' },
  api_key_exists: { kind: 'duplicate', detail: 'API key already exists' },
  address_in_use: { kind: 'duplicate', detail: 'Address already in use' },
  domain_has_foreign_aliases: { kind: 'duplicate', detail: 'Aliases would deliver across partners' },
  changed_meanwhile: { kind: 'precondition', detail: 'Somebody else has changed this meanwhile; read it again' },
  partner_has_no_key: { kind: 'conflict', detail: 'The partner has no active key' },
  validation_failed: { kind: 'invalid', detail: 'The request is not valid' },
  password_too_common: { kind: 'invalid', detail: 'The password is too common' },
  logo_not_safe: { kind: 'invalid', detail: 'The logo is not safe' },
  idempotency_key_reused: { kind: 'invalid', detail: 'Idempotency key reused' },
  too_many_events: {
    kind: 'invalid',
    detail: 'There are more than 10,000 events between these positions, or too many to count',
  },
  increment_id_reused: { kind: 'invalid', detail: 'The increment id was used with another count' },
  counter_overflow: { kind: 'invalid', detail: 'The counter of the domain cannot hold this number' },
  idempotency_in_progress: {
    kind: 'in_progress',
    detail: 'The first request with this idempotency key is still running',
  },
  billing_ref_differs: { kind: 'conflict', detail: 'Another subscription pays for the domain' },
  too_many_keys: { kind: 'conflict', detail: 'Too many keys' },
  too_many_webhooks: { kind: 'conflict', detail: 'There are five webhook endpoints already; delete one' },
  too_many_suppressions: { kind: 'conflict', detail: 'The partner has as many suppressions as it may; delete some' },
  redelivery_running: { kind: 'conflict', detail: 'A redelivery to this endpoint is running; wait until it has ended' },
  no_tenant: { kind: 'conflict', detail: 'The partner has no tenant at the relay provider' },
  webhook_not_active: { kind: 'conflict', detail: 'The endpoint is not active' },
  too_many_links: { kind: 'conflict', detail: 'Too many links of this key; delete one, or wait until one expires' },
  api_key_ended: { kind: 'conflict', detail: 'The API key is inactive or has expired' },
  events_gone: {
    kind: 'gone',
    detail: 'The service does not know what came after this position; begin without `after`',
  },
  usage_days_gone: { kind: 'gone', detail: 'The days of this month are no longer kept; ask for the month' },
  too_many_streams: { kind: 'too_many', detail: 'Too many open event streams; close one' },
  malformed_json: { kind: 'malformed', detail: 'The body is not valid JSON' },
  malformed_request: { kind: 'malformed', detail: 'The request is malformed' },
  request_cancelled: { kind: 'malformed', detail: 'The caller closed the connection' },
  relay_event_malformed: { kind: 'malformed', detail: 'The relay event has not the expected shape' },
  relay_signature_invalid: { kind: 'forbidden', detail: 'The signature of the relay event is missing or wrong' },
  relay_topic_unknown: { kind: 'forbidden', detail: 'The topic is not one of SNS_TOPIC_ARNS' },
  relay_event_too_old: { kind: 'forbidden', detail: 'The timestamp of the relay event is out of range' },
  method_not_allowed: { kind: 'method_not_allowed', detail: 'This path does not support that method' },
  request_timeout: { kind: 'timed_out', detail: 'The request did not arrive in time' },
  headers_too_large: { kind: 'headers_too_large', detail: 'The headers of the request are too large' },
  expectation_failed: { kind: 'expectation_failed', detail: 'The service supports only the expectation 100-continue' },
  body_too_large: { kind: 'too_large', detail: 'The body is too large' },
  unsupported_media_type: { kind: 'unsupported_media_type', detail: 'Send the body as application/json' },
  unsupported_content_encoding: {
    kind: 'unsupported_media_type',
    detail: 'Send the body without compression, or with the Content-Encoding gzip, deflate or br',
  },
  rate_limited: { kind: 'too_many', detail: 'Too many requests of this partner or API key; try again later' },
  too_many_wrong_tokens: { kind: 'too_many', detail: 'Too many wrong tokens from this address; try again later' },
  too_many_probes: { kind: 'too_many', detail: 'Too many challenges and tests of webhook endpoints; try again later' },
  hashing_busy: { kind: 'too_many', detail: 'Too many of your passwords are waiting to be hashed; try again' },
  database_unavailable: { kind: 'unavailable', detail: 'The database does not answer; try again' },
  busy: { kind: 'unavailable', detail: 'Too much is going on at once; try again' },
  disk_full: {
    kind: 'unavailable',
    detail: 'The disk of the database is full and nothing was changed; try again later',
  },
  relay_unavailable: { kind: 'unavailable', detail: 'The relay provider does not answer; try again' },
  mail_store_unavailable: { kind: 'unavailable', detail: 'The mail store does not answer; try again' },
  queue_unavailable: { kind: 'unavailable', detail: 'The job queue does not answer; try again' },
  overloaded: { kind: 'unavailable', detail: 'Too many passwords are being hashed; try again' },
  restore_not_accepted: {
    kind: 'unavailable',
    detail: 'The service was restored from a backup, and the operator has not accepted that yet; try again later',
  },
  shutting_down: { kind: 'unavailable', detail: 'The service is shutting down; try again' },
  internal_error: { kind: 'internal', detail: 'Something went wrong on our side' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** A problem with one field of a request, in a sentence that says how to correct it. */
export interface FieldError {
  field: string;
  message: string;
}

export interface ErrorExtras {
  detail?: string;
  errors?: FieldError[];
  /** Further members of the problem details, such as `existing`. */
  members?: Record<string, unknown>;
  /** The `Retry-After` of the response, when it is not the usual one, seconds. */
  retryAfterS?: number;
  cause?: unknown;
}

/** The only error that is thrown across layers on purpose. Any other error is a defect and gives `internal_error`. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly errors: FieldError[] | undefined;
  readonly members: Record<string, unknown>;
  readonly retryAfterS: number | undefined;

  constructor(
    readonly code: ErrorCode,
    extras: ErrorExtras = {},
  ) {
    super(extras.detail ?? ERRORS[code].detail, { cause: extras.cause });
    this.name = 'AppError';
    this.kind = ERRORS[code].kind;
    this.errors = extras.errors;
    this.members = extras.members ?? {};
    this.retryAfterS = extras.retryAfterS;
  }
}

const OUTAGES: ReadonlySet<ErrorCode> = new Set(['database_unavailable', 'busy', 'disk_full']);

/** Whether the database was unreachable, busy or full. The work itself did not fail: its result could not be stored. */
export function isDatabaseOutage(error: unknown): boolean {
  return error instanceof AppError && OUTAGES.has(error.code);
}

/** @returns the message of any thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @returns a 422 error about one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('validation_failed', { detail: `${field}: ${message}`, errors: [{ field, message }] });
}
