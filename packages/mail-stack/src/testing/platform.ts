import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ApiInProcess } from '@mailstead/api/testing/api-in-process';
import { WorkerInProcess } from '@mailstead/worker/testing/worker-in-process';
import { ApiCaller } from './api-caller.js';
import { MailsteadProcess } from './mailstead-process.js';
import { until } from './until.js';

const HOLDS = fileURLToPath(new URL('../../../../apps/policyd/dist/holds/main.js', import.meta.url));
const OUTAGES = fileURLToPath(new URL('../../../../apps/policyd/dist/outages/main.js', import.meta.url));

export interface PlatformOptions {
  /** The folder for the logs and the pid files. */
  folder: string;
  port: number;
  databaseUrl: string;
  redisUrl: string;
  /** The variables of the rendered `mailstead.env`. */
  mailEnvironment: Record<string, string>;
  /** The variables of the rendered `policyd.env`. */
  policydEnvironment: Record<string, string>;
  /** Further variables; they override the platform's own. */
  environment: Record<string, string>;
  /** Whether API and worker run in the process of the test, where it cannot kill them. */
  inProcess: boolean;
}

interface Processes {
  api: MailsteadProcess;
  worker: MailsteadProcess;
}

/** The default password of mailboxes. */
export const PASSWORD = 'correct horse battery';

export const MASTER_TOKEN = 'master-token-of-the-mail-rig-0123456789';
export const POLICY_TOKEN = 'policy-token-of-the-mail-rig-0123456789';
export const METRICS_TOKEN = 'metrics-token-of-the-mail-rig-0123456789';

/**
 * Runs the built API and worker on the rig's database. Tests change data only through the HTTP API.
 */
export class Platform {
  readonly master: ApiCaller;
  /** With the operator token of the policy daemon. */
  readonly policy: ApiCaller;

  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly policydEnvironment: Record<string, string>,
    /** Null when API and worker run in the process of the test. */
    private readonly processes: Processes | null,
    /** Stops API and worker. */
    readonly stop: () => Promise<unknown>,
  ) {
    this.master = new ApiCaller(url, MASTER_TOKEN);
    this.policy = new ApiCaller(url, POLICY_TOKEN);
  }

  /** Returns the pid files of its processes, for the reaper. */
  static pidFiles(folder: string): string[] {
    return ['api', 'worker', 'policyd', 'policyd-outages'].map((name) => MailsteadProcess.pidFile(folder, name));
  }

  /**
   * Starts the processes. The API migrates the database. @throws Error with the log of the process that does not start.
   */
  static async start(options: PlatformOptions): Promise<Platform> {
    const url = `http://127.0.0.1:${options.port}`;
    const environment = {
      PORT: String(options.port),
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl,
      MASTER_TOKEN,
      OPERATOR_TOKENS: `policyd:policy:${POLICY_TOKEN}`,
      METRICS_TOKEN,
      SECRET_KEY: 'secret-key-of-the-mail-rig-0123456789abcd',
      BCRYPT_COST: '4',
      SANDBOX_VERIFY_AFTER: '0',
      // No server listens there, so DNS queries fail at once.
      DNS_SERVERS: '127.0.0.1:9',
      ...options.mailEnvironment,
      ...options.environment,
    };
    const { folder, policydEnvironment } = options;
    if (options.inProcess) {
      const api = await ApiInProcess.start(environment);
      const worker = await WorkerInProcess.start(environment);
      const stop = () => Promise.all([api.end(), worker.end()]);
      return new Platform(url, folder, policydEnvironment, null, stop);
    }
    const answers = async (): Promise<boolean> => (await fetch(`${url}/health`)).ok;
    const api = new MailsteadProcess('api', folder, environment, answers);
    const worker: MailsteadProcess = new MailsteadProcess('worker', folder, environment, async () =>
      (await worker.log()).includes('"working"'),
    );
    await api.start();
    await worker.start();
    const stop = () => Promise.all([api.stop(), worker.stop()]);
    return new Platform(url, folder, policydEnvironment, { api, worker }, stop);
  }

  get api(): MailsteadProcess {
    return this.own().api;
  }

  get worker(): MailsteadProcess {
    return this.own().worker;
  }

  private own(): Processes {
    if (this.processes === null) throw new Error('API and worker run in the process of the test.');
    return this.processes;
  }

  /** Starts the policy daemon on these ports. Postfix refuses submission before that. */
  async startPolicyDaemon(policyPort: number, milterPort: number, loginsPort: number): Promise<MailsteadProcess> {
    const daemon: MailsteadProcess = new MailsteadProcess(
      'policyd',
      this.folder,
      {
        MAILSTEAD_URL: this.url,
        POLICY_TOKEN,
        POLICY_LISTEN: `127.0.0.1:${policyPort}`,
        MILTER_LISTEN: `127.0.0.1:${milterPort}`,
        LOGINS_LISTEN: `127.0.0.1:${loginsPort}`,
        POLICYD_DATA_DIR: `${this.folder}/policyd-data`,
        ...this.policydEnvironment,
      },
      async () => (await daemon.log()).includes('"listening"'),
    );
    await daemon.start();
    return daemon;
  }

  /**
   * Runs the program that holds mail of suspended domains, one pass.
   *
   * @param stamp the file that gets the time of a whole pass
   * @param killAfterMs kills it after this time; without it, it ends by itself
   * @returns its exit code; null when it was killed
   */
  async holdQueues({
    url = this.url,
    killAfterMs,
    stamp,
  }: {
    url?: string;
    killAfterMs?: number;
    stamp?: string;
  } = {}): Promise<number | null> {
    const child = spawn(process.execPath, [HOLDS], {
      env: {
        PATH: process.env.PATH,
        MAILSTEAD_URL: url,
        POLICY_TOKEN,
        ...this.policydEnvironment,
        ...(stamp === undefined ? {} : { HOLDS_STAMP: stamp }),
      },
      stdio: 'ignore',
    });
    const killed = killAfterMs === undefined ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const [code] = (await once(child, 'exit')) as [number | null];
    if (killed !== null) clearTimeout(killed);
    return code;
  }

  /** Starts the program that renews the mail servers after an outage of the database, with this file for its state. */
  async startOutages(state: string): Promise<MailsteadProcess> {
    const program = new MailsteadProcess(
      'policyd-outages',
      this.folder,
      { ...this.policydEnvironment, OUTAGES_STATE: state },
      async () => (await readFile(state, 'utf8')) !== '',
      OUTAGES,
    );
    await program.start();
    return program;
  }

  /** Creates an API key for a partner with the master token. */
  async partner(partnerRef: string): Promise<ApiCaller> {
    const token = `${partnerRef}-${randomBytes(16).toString('hex')}`;
    await this.master.post('/api-keys/', {
      token,
      partner_ref: partnerRef,
      domains_allowed: 0,
      mailboxes_per_domain: 0,
      aliases_per_mailbox: 0,
    });
    return new ApiCaller(this.url, token);
  }
}

/**
 * Creates a domain with its partner's key, and waits until the relay provider has verified it, which opens it for
 * inbound mail.
 */
export async function addDomain(partner: ApiCaller, name: string): Promise<void> {
  await partner.post('/domains/', { name });
  await until(`${name} to be verified`, async () => (await partner.get(`/domains/${name}/relay-status`)).verified);
}

/** Creates mailboxes with the default password. */
export async function addMailboxes(partner: ApiCaller, ...addresses: string[]): Promise<void> {
  for (const email of addresses) await partner.post('/users/', { email, password: PASSWORD });
}

/** Creates an alias with one or several destinations. The address `@domain` is a catch-all. */
export async function addAlias(partner: ApiCaller, address: string, ...destinations: string[]): Promise<void> {
  for (const destination of destinations) await partner.post('/aliases/', { address, destination });
}
