export interface FieldProblem {
  field: string;
  message: string;
}

/** What the API refuses with: problem details (RFC 9457). */
export class ApiProblem extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** A stable word for programs, such as `domain_not_found`; `unreadable_answer` when no problem came. */
    readonly code: string,
    /** A sentence for people. */
    readonly detail: string,
    /** Every field that is wrong, on a 422. */
    readonly errors: readonly FieldProblem[],
    /** What to name to the operator of the service. */
    readonly requestId: string | null,
  ) {
    super(`${status} ${code}: ${detail}`);
    this.name = 'ApiProblem';
  }

  /**
   * Reads an answer that is not 2xx. Something in between, such as a proxy, may have sent it: then it is no problem
   * details.
   */
  static async from(response: Response): Promise<ApiProblem> {
    const body = problemIn(await response.text().catch(() => ''));
    return new ApiProblem(
      response.status,
      typeof body.code === 'string' ? body.code : 'unreadable_answer',
      typeof body.detail === 'string' ? body.detail : `The service answered ${response.status}`,
      Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : [],
      response.headers.get('x-request-id'),
    );
  }
}

function problemIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
