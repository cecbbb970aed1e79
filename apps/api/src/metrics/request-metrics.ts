import { ERRORS } from '@mailstead/core/errors';
import { Counter, Histogram, type Registry } from 'prom-client';
import { type RequestIds, type RequestLine, RequestLog } from '../http/request-log.js';

const TOO_MANY_REQUESTS = 429;

/** Counts and times each request, then passes its line to another request log. */
export class CountedRequests extends RequestLog {
  private readonly requests: Counter;
  private readonly durations: Histogram;
  private readonly refused: Counter;

  constructor(
    private readonly log: RequestLog,
    registry: Registry,
  ) {
    super();
    this.requests = new Counter({
      name: 'mailstead_requests_total',
      help: 'Requests by route and status',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    });
    this.refused = new Counter({
      name: 'mailstead_requests_refused_total',
      help: 'Requests that a limit refused with 429, by error code',
      labelNames: ['code'],
      registers: [registry],
    });
    // Prometheus sees no increase in a series that begins at 1, so an alert would miss the first refusal of a process.
    for (const [code, { kind }] of Object.entries(ERRORS)) if (kind === 'too_many') this.refused.inc({ code }, 0);
    this.durations = new Histogram({
      name: 'mailstead_request_seconds',
      help: 'How long requests took',
      labelNames: ['route'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers: [registry],
    });
  }

  override request(line: RequestLine): void {
    this.requests.inc({ method: line.method, route: line.route, status: line.status });
    // A stream lasts as long as its client wants.
    if (line.added.streamed_events === undefined)
      this.durations.observe({ route: line.route }, line.durationMs / 1_000);
    if (line.status === TOO_MANY_REQUESTS) this.refused.inc({ code: line.errorCode ?? '' });
    this.log.request(line);
  }

  override warning(message: string): void {
    this.log.warning(message);
  }

  override defect(error: unknown, ids: RequestIds, secrets: readonly string[]): void {
    this.log.defect(error, ids, secrets);
  }
}
