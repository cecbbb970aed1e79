import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type MailsteadClient } from '@mailstead/client';
import { Child, freePort } from '@mailstead/core/testing/child';
import { MailServer } from './mail-server.js';

const MASTER = 'master-token-of-the-policy-tests-0123456789';
const POLICY = 'policy-token-of-the-policy-tests-0123456789';

/** Runs an API on the embedded database and a policy daemon as processes that a test may kill. */
export class PolicydWorld {
  api!: Child;
  policyd!: Child;
  mailstead!: MailsteadClient;
  private readonly servers: MailServer[] = [];
  private readonly hosted = new Set<string>();

  private constructor(
    readonly folder: string,
    readonly apiPort: number,
    readonly policyPort: number,
    readonly milterPort: number,
  ) {}

  static async start(): Promise<PolicydWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'policyd-test-'));
    const world = new PolicydWorld(folder, await freePort(), await freePort(), await freePort());
    await world.startApi();
    world.mailstead = createClient({ url: world.url, token: MASTER });
    return world;
  }

  get url(): string {
    return `http://127.0.0.1:${this.apiPort}`;
  }

  async startApi(): Promise<void> {
    this.api = new Child('api', {
      PORT: String(this.apiPort),
      DATA_DIR: join(this.folder, 'api'),
      MASTER_TOKEN: MASTER,
      OPERATOR_TOKENS: `policyd:policy:${POLICY}`,
      ALLOW_EXTERNAL_FORWARD: 'true',
      BCRYPT_COST: '4',
      SANDBOX_VERIFY_AFTER: '0',
    });
    await this.api.until(async () => (await fetch(`${this.url}/health`)).ok);
  }

  async startPolicyd(environment: Record<string, string> = {}): Promise<void> {
    this.policyd = new Child('policyd', {
      MAILSTEAD_URL: this.url,
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
