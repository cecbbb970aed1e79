import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiInProcess } from '@mailstead/api/testing/api-in-process';
import { type StartApi, startApiProcess } from '@mailstead/api/testing/start-api-process';
import { createClient, type MailsteadClient } from '@mailstead/client';
import { createPostJson, type PostJson } from '@mailstead/client/post-json';
import { Child, type Program } from '@mailstead/core/testing/child';
import { freePort } from '../../../../scripts/free-port.mjs';
import { MailServer } from './mail-server.js';

const MASTER = 'master-token-of-the-policy-tests-0123456789';
const POLICY = 'policy-token-of-the-policy-tests-0123456789';

/** Runs an API on the embedded database and a policy daemon as processes that a test may kill. */
export class PolicydWorld<Api extends Program = Child> {
  api!: Api;
  policyd!: Child;
  mailstead!: MailsteadClient;
  private readonly servers: MailServer[] = [];
  private readonly hosted = new Set<string>();

  private constructor(
    readonly folder: string,
    readonly apiPort: number,
    readonly policyPort: number,
    readonly milterPort: number,
    private readonly settings: Record<string, string>,
    private readonly way: 'HTTP' | 'frames',
    private readonly openApi: StartApi<Api>,
  ) {}

  /**
   * @param settings of the API, such as `DATABASE_URL`; without it the API uses the embedded database.
   * @param way how the policy daemon sends previews and counts
   */
  static start(settings: Record<string, string> = {}, way: 'HTTP' | 'frames' = 'HTTP'): Promise<PolicydWorld> {
    return PolicydWorld.startWith(settings, way, startApiProcess);
  }

  /** With an API in the process of the test, on the embedded database. */
  static startWithApiInProcess(): Promise<PolicydWorld<ApiInProcess>> {
    return PolicydWorld.startWith({}, 'HTTP', ApiInProcess.start);
  }

  private static async startWith<Api extends Program>(
    settings: Record<string, string>,
    way: 'HTTP' | 'frames',
    openApi: StartApi<Api>,
  ): Promise<PolicydWorld<Api>> {
    const folder = await mkdtemp(join(tmpdir(), 'policyd-test-'));
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const world = new PolicydWorld(folder, ...ports, settings, way, openApi);
    await world.startApi();
    world.mailstead = createClient({ url: world.url, token: MASTER });
    return world;
  }

  get url(): string {
    return `http://127.0.0.1:${this.apiPort}`;
  }

  /** Sends to the API as the policy daemon does. */
  get post(): PostJson {
    return createPostJson({ url: this.url, token: POLICY, timeoutMs: 10_000 });
  }

  /** @param changed further settings for this start */
  async startApi(changed: Record<string, string> = {}): Promise<void> {
    this.api = await this.apiOn(this.apiPort, changed);
  }

  /** Starts a further API on the same database, which must be MariaDB. */
  apiOn(port: number, changed: Record<string, string> = {}): Promise<Api> {
    return this.openApi({
      PORT: String(port),
      DATA_DIR: join(this.folder, 'api'),
      MASTER_TOKEN: MASTER,
      OPERATOR_TOKENS: `policyd:policy:${POLICY}`,
      ALLOW_EXTERNAL_FORWARD: 'true',
      BCRYPT_COST: '4',
      SANDBOX_VERIFY_AFTER: '0',
      POLICY_API_LISTEN: this.framesOf(port),
      ...this.settings,
      ...changed,
    });
  }

  /** The address for frames of the API on this port. */
  framesOf(port: number): string {
    return `unix:${this.folder}/api-${port}.sock`;
  }

  async startPolicyd(environment: Record<string, string> = {}): Promise<void> {
    this.policyd = new Child('policyd', {
      MAILSTEAD_URL: this.url,
      ...(this.way === 'frames' ? { POLICY_API: this.framesOf(this.apiPort) } : {}),
      POLICY_TOKEN: POLICY,
      POLICY_LISTEN: `127.0.0.1:${this.policyPort},unix:${this.folder}/policy.sock`,
      MILTER_LISTEN: `127.0.0.1:${this.milterPort}`,
      LOGINS_LISTEN: 'off',
      POLICY_MTA: 'mx-1',
      POLICYD_DATA_DIR: join(this.folder, 'policyd'),
      ...environment,
    });
    await this.policyd.said('listening');
  }

  async restartPolicyd(signal: 'SIGTERM' | 'SIGKILL', environment: Record<string, string> = {}): Promise<void> {
    this.closeServers();
    await this.policyd.end(signal);
    await this.startPolicyd(environment);
  }

  /** Adds a verified domain that is open for inbound mail. */
  async addDomain(name: string, settings: { outbound_tier?: 'unlimited'; daily_limit?: number } = {}): Promise<void> {
    this.hosted.add(name);
    const path = { params: { path: { domain_name: name } } };
    await this.mailstead.POST('/domains/', { body: { name } });
    await this.mailstead.GET('/domains/{domain_name}/relay-status', path);
    await this.mailstead.PUT('/domains/{domain_name}/inbound', { ...path, body: { inbound: 'open' } });
    await this.mailstead.PUT('/domains/{domain_name}/outbound', { ...path, body: settings });
  }

  async addMailbox(email: string): Promise<void> {
    await this.mailstead.POST('/users/', { body: { email, password: 'correct horse battery' } });
  }

  /** Adds an alias (or the catch-all `@domain`) with this number of outside destinations. */
  async addList(address: string, destinations: number): Promise<void> {
    for (let index = 0; index < destinations; index += 1) {
      const destination = `reader-${index}@elsewhere.example`;
      await this.mailstead.POST('/aliases/', { body: { address, destination } });
    }
  }

  async outbound(name: string) {
    const path = { params: { path: { domain_name: name } } };
    const { data } = await this.mailstead.GET('/domains/{domain_name}/outbound', path);
    if (data === undefined) throw new Error('no answer');
    return data;
  }

  /** Returns how many requests of the policy daemon the API answered. */
  async asked(): Promise<{ looks: number; increments: number }> {
    const response = await fetch(`${this.url}/metrics`, { headers: { authorization: `Bearer ${MASTER}` } });
    const text = await response.text();
    const of = (route: string) =>
      Number(
        new RegExp(`mailstead_requests_total\\{method="POST",route="${route}",status="200"\\} (\\d+)`).exec(
          text,
        )?.[1] ?? 0,
      );
    return { looks: of('/outbound/looks'), increments: of('/outbound/increments') };
  }

  async mailServer(): Promise<MailServer> {
    const server = await MailServer.connect(this.policyPort, this.milterPort, this.hosted);
    this.servers.push(server);
    return server;
  }

  closeServers(): void {
    for (const server of this.servers.splice(0)) server.close();
  }

  async stop(): Promise<void> {
    this.closeServers();
    await this.policyd.end('SIGKILL');
    await this.api.end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}
