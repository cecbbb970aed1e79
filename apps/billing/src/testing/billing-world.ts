import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiInProcess } from '@mailstead/api/testing/api-in-process';
import { type StartApi, startApiProcess } from '@mailstead/api/testing/start-api-process';
import { createClient, type MailsteadClient } from '@mailstead/client';
import { Child, type Program } from '@mailstead/core/testing/child';
import { TextStream } from '@mailstead/core/testing/text-stream';
import { freePort } from '../../../../scripts/free-port.mjs';
import { createBilling } from '../billing.js';
import { runCommand } from '../commands.js';
import { readBillingConfig } from '../config.js';
import { FolderLock } from '../locks/folder-lock.js';
import { KeyedLocks } from '../locks/keyed-locks.js';
import { createLogger } from '../logger.js';
import { StateFile } from '../state/state-file.js';
import { ApiFront } from './api-front.js';
import { API_KEY, type GivenSubscription, SECRET, StripeDouble, signatureOf } from './stripe-double.js';

export const MASTER = 'master-token-of-the-billing-tests-0123456789';
const BILLING = 'billing-token-of-the-billing-tests-0123456789';
export const PARTNER = 'acme';

export interface ShownDomain {
  partner_ref: string | null;
  plan: string | null;
  billing_ref: string | null;
  suspension_causes: string[];
}

/** An API on the embedded database, a Stripe and a billing process that a test may kill. */
export class BillingWorld<Api extends Program = Child> {
  api!: Api;
  billing!: Child;
  mailstead!: MailsteadClient;
  private domains = 0;
  private readonly children: Child[] = [];

  private constructor(
    readonly folder: string,
    readonly stripe: StripeDouble,
    readonly front: ApiFront,
    private readonly apiPort: number,
    readonly port: number,
    readonly metricsPort: number,
    private readonly openApi: StartApi<Api>,
  ) {}

  /** With an API that a test may kill. */
  static start(): Promise<BillingWorld> {
    return BillingWorld.startWith(startApiProcess);
  }

  /** With an API in the process of the test. */
  static startWithApiInProcess(): Promise<BillingWorld<ApiInProcess>> {
    return BillingWorld.startWith(ApiInProcess.start);
  }

  private static async startWith<Api extends Program>(openApi: StartApi<Api>): Promise<BillingWorld<Api>> {
    const folder = await mkdtemp(join(tmpdir(), 'billing-'));
    const apiPort = await freePort();
    const front = await ApiFront.start(`http://127.0.0.1:${apiPort}`);
    const stripe = await StripeDouble.start();
    const world = new BillingWorld(folder, stripe, front, apiPort, await freePort(), await freePort(), openApi);
    await world.startApi();
    world.mailstead = createClient({ url: world.apiUrl, token: MASTER });
    return world;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.apiPort}`;
  }

  async startApi(): Promise<void> {
    this.api = await this.openApi({
      PORT: String(this.apiPort),
      DATA_DIR: join(this.folder, 'api'),
      MASTER_TOKEN: MASTER,
      OPERATOR_TOKENS: `shop:billing:${BILLING},reader:read:${BILLING.replace('billing', 'reading')}`,
      BCRYPT_COST: '4',
      // The tests are faster than the rate of a partner.
      RATE_LIMIT: '0',
      SCHEDULES: 'off',
    });
  }

  get dataDir(): string {
    return join(this.folder, 'b');
  }

  environment(changes: Record<string, string> = {}): Record<string, string> {
    return {
      STRIPE_API_KEY: API_KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_BASE: this.stripe.url,
      MAILSTEAD_URL: this.front.url,
      BILLING_TOKEN: BILLING,
      BILLING_PORT: String(this.port),
      BILLING_DATA_DIR: this.dataDir,
      METRICS_LISTEN: `127.0.0.1:${this.metricsPort}`,
      ...changes,
    };
  }

  async startBilling(changes: Record<string, string> = {}): Promise<void> {
    this.billing = new Child('billing', this.environment(changes));
    this.children.push(this.billing);
    await this.billing.said('"listening"');
  }

  /** Starts billing and waits until its first comparison has ended, so that it does not interfere with the test. */
  async startQuietBilling(changes: Record<string, string> = {}): Promise<void> {
    await this.startBilling(changes);
    await this.billing.said('compared all subscriptions');
  }

  /** Runs a command to its end. */
  async command(
    args: string[],
    changes: Record<string, string> = {},
  ): Promise<{ code: number | null; output: string }> {
    const child = new Child('billing', this.environment(changes), args);
    this.children.push(child);
    const code = await child.exit();
    return { code, output: child.output };
  }

  /** Compares all subscriptions with all domains as the command `reconcile` does, without its process. */
  async reconcile(): Promise<{ code: number; output: string }> {
    const output = new TextStream();
    const billing = await createBilling(readBillingConfig(this.environment()), createLogger('error', output));
    const code = await runCommand({ name: 'reconcile', isDryRun: false }, billing, output);
    return { code, output: output.text };
  }

  /** Does what the command `resume` does, without its process. */
  async resume(): Promise<void> {
    const locks = new KeyedLocks(await FolderLock.open(join(this.dataDir, 'locks')));
    await new StateFile(this.dataDir, locks).reset(new Date());
  }

  /** Adds a domain of the partner with a name of its own. */
  async addDomain(partner_ref: string | null = PARTNER): Promise<string> {
    this.domains += 1;
    const name = `shop-${this.domains}.example`;
    await this.mailstead.POST('/domains/', { body: { name, partner_ref } });
    return name;
  }

  /** Adds a domain and a subscription that names it. */
  async addPaid(given: GivenSubscription): Promise<string> {
    const domain = given.domain ?? (await this.addDomain());
    this.stripe.put({ partner: PARTNER, domain, ...given });
    return domain;
  }

  async domain(domain_name: string): Promise<ShownDomain> {
    const { data } = await this.mailstead.GET('/domains/{domain_name}', { params: { path: { domain_name } } });
    if (data === undefined) throw new Error('no answer');
    const { partner_ref, plan, billing_ref, suspension_causes } = data;
    return { partner_ref, plan, billing_ref, suspension_causes };
  }

  /** Sends a body with its signature. @returns the status */
  async send(body: string, signature = signatureOf(body)): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.port}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
      body,
    });
    await response.text();
    return response.status;
  }

  /** Sends an event about the subscription as it is now. @returns the status */
  event(id: string, type?: string): Promise<number> {
    return this.send(this.stripe.event(id, type));
  }

  async alarms(): Promise<{ kind: string; subject: string; sentence: string }[]> {
    const response = await fetch(`http://127.0.0.1:${this.metricsPort}/health`);
    return ((await response.json()) as { alarms: { kind: string; subject: string; sentence: string }[] }).alarms;
  }

  async alarmOf(subject: string): Promise<string | undefined> {
    return (await this.alarms()).find((alarm) => alarm.subject === subject)?.kind;
  }

  async metric(line: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.metricsPort}/metrics`)).text();
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return Number(found?.slice(line.length + 1) ?? Number.NaN);
  }

  readState(): Promise<string> {
    return readFile(join(this.dataDir, 'state.json'), 'utf8');
  }

  writeState(text: string): Promise<void> {
    return writeFile(join(this.dataDir, 'state.json'), text);
  }

  async stop(): Promise<void> {
    for (const child of this.children) await child.end('SIGKILL');
    await this.api.end('SIGKILL');
    await this.front.stop();
    await this.stripe.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
