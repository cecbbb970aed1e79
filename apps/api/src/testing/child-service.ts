import { SECOND_MS } from '@mailstead/core/clock';
import { Child } from '@mailstead/core/testing/child';
import { freePort } from '../../../../scripts/free-port.mjs';

export const CHILD_MASTER = 'master-token-of-the-processes-0123456789';

/** A child process that runs the built API or worker. */
export class ChildService extends Child {
  private constructor(
    app: 'api' | 'worker',
    readonly url: string,
    environment: Record<string, string>,
    root?: string,
  ) {
    super(app, environment, [], root);
  }

  /** Starts an app without waiting until it is ready. */
  static async spawn(app: 'api' | 'worker', environment: Record<string, string>, root?: string): Promise<ChildService> {
    const port = environment.PORT ?? String(await freePort());
    const settings = {
      PORT: port,
      MASTER_TOKEN: CHILD_MASTER,
      SECRET_KEY: 'secret-key-of-the-processes-0123456789',
      BCRYPT_COST: '4',
      RATE_LIMIT: '0',
      ...environment,
    };
    return new ChildService(app, `http://127.0.0.1:${port}`, settings, root);
  }

  /** Starts the API and waits until it responds. */
  static async start(environment: Record<string, string>, root?: string): Promise<ChildService> {
    const service = await ChildService.spawn('api', environment, root);
    await service.until(async () => (await fetch(`${service.url}/health`)).ok);
    return service;
  }

  /** The status of `/health/ready` by checks that began after this call: the result of a run is shared for a second. */
  async readyAnew(): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const asked = performance.now();
      const { status } = await this.call('GET', '/health/ready');
      if (asked - begun >= SECOND_MS) return status;
    }
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    token = CHILD_MASTER,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }
}
