/**
 * The kind of an error, for the caller. One table in the API maps it to an HTTP status, and one in the job runner to a retry
 * or to a dead job.
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
  | 'method_not_allowed'
  | 'too_large'
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
  master_token_required: { kind: 'forbidden', detail: 'Master token required' },
  scope_not_allowed: { kind: 'forbidden', detail: 'Token scope does not allow this' },
  outbound_fields_forbidden: {
    kind: 'forbidden',
    detail: 'Client tokens cannot modify outbound_tier, outbound_enforcement or outbound_status',
  },
  outbound_limit_above_operator: { kind: 'forbidden', detail: 'The limit is above what the operator allows' },
  parent_domain_of_other_partner: { kind: 'forbidden', detail: 'Parent domain belongs to another partner' },
  suspended_by_operator: { kind: 'forbidden', detail: 'Suspended by the operator' },
  storage_quota_above_plan: { kind: 'forbidden', detail: 'Storage quota is above what the plan allows' },
  domain_quota_exceeded: { kind: 'over_quota', detail: 'Domain quota exceeded' },
  mailbox_quota_exceeded: { kind: 'over_quota', detail: 'Mailbox quota exceeded' },
  alias_quota_exceeded: { kind: 'over_quota', detail: 'Alias quota exceeded' },
  domain_not_found: { kind: 'not_found', detail: 'Domain not found' },
  mailbox_not_found: { kind: 'not_found', detail: 'Mailbox not found' },
  alias_not_found: { kind: 'not_found', detail: 'Alias not found' },
  api_key_not_found: { kind: 'not_found', detail: 'API key not found' },
  partner_not_found: { kind: 'not_found', detail: 'Partner not found' },
  tier_not_found: { kind: 'not_found', detail: 'Tier not found' },
  job_not_found: { kind: 'not_found', detail: 'Job not found' },
  route_not_found: { kind: 'not_found', detail: 'No such path' },
  domain_exists: { kind: 'duplicate', detail: 'Domain already exists' },
  mailbox_exists: { kind: 'duplicate', detail: 'Mailbox already exists' },
  alias_exists: { kind: 'duplicate', detail: 'Alias already exists' },
  api_key_exists: { kind: 'duplicate', detail: 'API key already exists' },
  address_in_use: { kind: 'duplicate', detail: 'Address already in use' },
  domain_has_foreign_aliases: { kind: 'duplicate', detail: 'Aliases would deliver across partners' },
  validation_failed: { kind: 'invalid', detail: 'The request is not valid' },
  idempotency_key_reused: { kind: 'invalid', detail: 'Idempotency key reused' },
  increment_id_reused: { kind: 'invalid', detail: 'The increment id was used with another count' },
  idempotency_in_progress: {
    kind: 'in_progress',
    detail: 'The first request with this idempotency key is still running',
  },
  malformed_json: { kind: 'malformed', detail: 'The body is not valid JSON' },
  malformed_request: { kind: 'malformed', detail: 'The request is malformed' },
  request_cancelled: { kind: 'malformed', detail: 'The caller closed the connection' },
  relay_event_malformed: { kind: 'malformed', detail: 'The relay event has not the expected shape' },
  relay_signature_invalid: { kind: 'forbidden', detail: 'The signature of the relay event is missing or wrong' },
  relay_topic_unknown: { kind: 'forbidden', detail: 'The topic is not one of SNS_TOPIC_ARNS' },
  relay_event_too_old: { kind: 'forbidden', detail: 'The timestamp of the relay event is out of range' },
  method_not_allowed: { kind: 'method_not_allowed', detail: 'This path does not support that method' },
  body_too_large: { kind: 'too_large', detail: 'The body is too large' },
  unsupported_media_type: { kind: 'unsupported_media_type', detail: 'Send the body as application/json' },
  hashing_busy: { kind: 'too_many', detail: 'Too many of your passwords are waiting to be hashed; try again' },
  database_unavailable: { kind: 'unavailable', detail: 'The database does not answer; try again' },
  disk_full: {
    kind: 'unavailable',
    detail: 'The disk of the database is full and nothing was changed; try again later',
  },
  relay_unavailable: { kind: 'unavailable', detail: 'The relay provider does not answer; try again' },
  mail_store_unavailable: { kind: 'unavailable', detail: 'The mail store does not answer; try again' },
  queue_unavailable: { kind: 'unavailable', detail: 'The job queue does not answer; try again' },
  overloaded: { kind: 'unavailable', detail: 'Too many passwords are being hashed; try again' },
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
  cause?: unknown;
}

/** The only error that is thrown across layers on purpose. Any other error is a defect and gives `internal_error`. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly errors: FieldError[] | undefined;
  readonly members: Record<string, unknown>;

  constructor(
    readonly code: ErrorCode,
    extras: ErrorExtras = {},
  ) {
    super(extras.detail ?? ERRORS[code].detail, { cause: extras.cause });
    this.name = 'AppError';
    this.kind = ERRORS[code].kind;
    this.errors = extras.errors;
    this.members = extras.members ?? {};
  }
}

/** Whether the database was unreachable or full. The work itself did not fail: its result could not be stored. */
export function isDatabaseOutage(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'database_unavailable' || error.code === 'disk_full');
}

/** @returns the message of any thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @returns a 422 error about one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('validation_failed', { detail: `${field}: ${message}`, errors: [{ field, message }] });
}
