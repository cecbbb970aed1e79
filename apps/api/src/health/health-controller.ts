import { Config } from '@mailstead/adapters/config';
import { hasBearer } from '@mailstead/adapters/crypto/bearer-token';
import { AppError, type ErrorCode } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { SOFTWARE_VERSION } from '@mailstead/core/software-version';
import type { Entrance } from '../http/admission.js';
import { mayUse } from '../http/authorize.js';
import { StatusResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import { METRICS_READER } from '../metrics/metrics-reader.js';
import { HealthChecks } from './health-checks.js';
import { HealthResponse, presentCheck, ReadyResponse } from './health-dto.js';

/** Who is told what the checks found: it names nodes, quotas and what the operator has to do. */
const WHO_IS_TOLD = { method: 'get', access: 'public', tokenAccess: 'master' } as const;
const OF_TOKEN = [
  'invalid_token',
  'api_key_inactive',
  'api_key_expired',
  'too_many_wrong_tokens',
  'rate_limited',
] as const satisfies ErrorCode[];

@needs(HealthChecks, Authenticator, Config)
export class HealthController implements Controller {
  constructor(
    private readonly checks: HealthChecks,
    private readonly authenticator: Authenticator,
    private readonly config: Pick<Config, 'metricsToken'>,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/health',
        access: 'public',
        anyInput: true,
        summary: 'Check that the process runs',
        response: HealthResponse,
        run: () => ({ status: 'ok', version: SOFTWARE_VERSION }),
      }),
      route({
        method: 'get',
        path: '/health/ready',
        access: 'public',
        anyInput: true,
        summary: 'Check whether this process can serve requests',
        description:
          'Without a token the answer is the status alone. With a token that is wrong it is 401; with one of another caller it is that without a token. The checks are asked at most once a second.',
        errors: OF_TOKEN,
        alsoStatuses: [503],
        response: ReadyResponse,
        admit: (entrance) => this.admit(entrance),
        run: ({ actor }) => this.readiness(actor),
      }),
    ];
  }

  /**
   * Identifies who asks. Balancers and probes have no token. The cookie of a session that has ended counts as none: a
   * page asks whether the service is there, not who is logged in.
   */
  private async admit({ credentials, charge, checkOrigin }: Entrance): Promise<void> {
    try {
      const caller = await this.authenticator.authenticateOr(this.config.metricsToken, credentials);
      if (caller?.session !== undefined) checkOrigin();
      charge(caller ?? METRICS_READER);
    } catch (error) {
      const isAsNone = error instanceof AppError && (error.code === 'missing_token' || !hasBearer(credentials.header));
      if (!isAsNone) throw error;
    }
  }

  private async readiness(actor: Actor): Promise<StatusResponse> {
    const { readiness } = this.checks;
    if (actor.kind === 'system' || !mayUse(actor, WHO_IS_TOLD)) return answer(await readiness.isReady());
    const { isReady, checks, warnings } = await readiness.read();
    return answer(isReady, { checks: checks.map(({ name, detail }) => presentCheck(name, detail)), warnings });
  }
}

function answer(isReady: boolean, told: Pick<ReadyResponse, 'checks' | 'warnings'> = {}): StatusResponse {
  const status = isReady ? 'ok' : 'unavailable';
  return new StatusResponse(isReady ? 200 : 503, { status, version: SOFTWARE_VERSION, ...told });
}
