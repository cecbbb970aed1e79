import { Counter, Histogram, type Registry } from 'prom-client';
import { type RequestLine, RequestLog } from '../http/request-log.js';

/** Counts and times each request, then passes its line to another request log. */
export class CountedRequests extends RequestLog {
  private readonly requests: Counter;
  private readonly durations: Histogram;

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
    this.durations.observe({ route: line.route }, line.durationMs / 1_000);
    this.log.request(line);
  }

  override defect(error: unknown, requestId: string, secrets: readonly string[]): void {
    this.log.defect(error, requestId, secrets);
  }
}
