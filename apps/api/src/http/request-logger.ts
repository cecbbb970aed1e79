import type { Logger } from '@mailstead/adapters/logger';
import {
  callerLabel,
  type LogFields,
  type RequestIds,
  type RequestLine,
  RequestLog,
  withoutSecrets,
} from './request-log.js';

/** The limit that refused a request, by the code of the problem. */
const LIMITS: Readonly<Record<string, string>> = {
  rate_limited: 'rate',
  too_many_streams: 'streams',
  too_many_links: 'links',
  too_many_keys: 'keys',
  hashing_busy: 'hashing',
  too_many_wrong_tokens: 'wrong_tokens',
};

/** Writes the log lines of requests with winston. */
export class RequestLogger extends RequestLog {
  constructor(private readonly logger: Logger) {
    super();
  }

  override request(line: RequestLine): void {
    if (line.isQuiet !== true) this.logger.info('request', fieldsOf(line));
    else if (this.logger.isDebugEnabled()) this.logger.debug('request', fieldsOf(line));
  }

  override warning(message: string): void {
    this.logger.warn('warning', { detail: message });
  }

  override defect(error: unknown, { requestId, requestUid }: RequestIds, secrets: readonly string[]): void {
    const stack = String(error instanceof Error ? error.stack : error);
    this.logger.error('defect', {
      request_id: requestId,
      request_uid: requestUid,
      stack: withoutSecrets(stack, secrets),
    });
  }
}

function fieldsOf(line: RequestLine): LogFields {
  return {
    method: line.method,
    path: line.path,
    status: line.status,
    duration_ms: Math.round(line.durationMs * 10) / 10,
    request_id: line.requestId,
    request_uid: line.requestUid,
    ...callerLabel(line.caller),
    ...(line.errorCode === null ? {} : { code: line.errorCode, limit: LIMITS[line.errorCode] }),
    ...line.added,
  };
}
