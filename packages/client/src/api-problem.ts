export interface FieldProblem {
  field: string;
  message: string;
}

/** The members of every problem. */
const OF_EACH = new Set(['type', 'title', 'status', 'code', 'detail', 'errors', 'request_id']);

/** An error response of the API: problem details (RFC 9457). */
export class ApiProblem extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    /**
     * A stable code for programs, such as `domain_not_found`; `unreadable_answer` when the body is not problem details.
     */
    readonly code: string,
    /** A description for people. */
    readonly detail: string,
    /** All wrong fields, on a 422; otherwise empty. */
    readonly errors: readonly FieldProblem[],
    /**
     * The id with which the operator of the service can find the request in the log; null when the response has none.
     */
    readonly requestId: string | null,
    /** The seconds of `Retry-After`; null when the response has none. */
    readonly retryAfter: number | null = null,
    /** What the body has besides, such as `suspension_causes`. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${status} ${code}: ${detail}`);
    this.name = 'ApiProblem';
  }

  /** Reads a response that is not 2xx. When a proxy sent it, its body is not problem details. */
  static async from(response: Response): Promise<ApiProblem> {
    const text = await response.text().catch(() => '');
    const { status, headers } = response;
    return ApiProblem.of(status, text, headers.get('x-request-id'), headers.get('retry-after'));
  }

  /** Reads the body of a response that is not 2xx, as `from`. */
  static of(status: number, text: string, requestId: string | null, retryAfter: string | null = null): ApiProblem {
    const body = problemIn(text);
    return new ApiProblem(
      status,
      typeof body.code === 'string' ? body.code : 'unreadable_answer',
      typeof body.detail === 'string' ? body.detail : `The service answered ${status}`,
      Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : [],
      requestId,
      secondsOf(retryAfter),
      Object.fromEntries(Object.entries(body).filter(([name]) => !OF_EACH.has(name))),
    );
  }
}

/** A proxy may send a date in place of the seconds; it is not read. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

function problemIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
