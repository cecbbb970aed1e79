import { randomBytes } from 'node:crypto';
import { ApiCaller } from './api-caller.js';
import { MailsteadProcess } from './mailstead-process.js';
import { until } from './until.js';

export interface PlatformOptions {
  /** Gets the logs and the pid files. */
  folder: string;
  port: number;
  databaseUrl: string;
  redisUrl: string;
  /** What the mail stack rendered for Mailstead's processes, `mailstead.env`. */
  mailEnvironment: Record<string, string>;
  /** Further settings, over the platform's own. */
  environment: Record<string, string>;
}

/** The password of every mailbox that a test makes without one of its own. */
export const PASSWORD = 'correct horse battery';

const MASTER_TOKEN = 'master-token-of-the-mail-rig-0123456789';
const POLICY_TOKEN = 'policy-token-of-the-mail-rig-0123456789';

/**
 * Mailstead itself, built and running: an API and a worker on the rig's database. Tests change it by its HTTP API
 * alone.
 */
export class Platform {
  readonly master: ApiCaller;
  /** With the operator token of the policy daemon. */
  readonly policy: ApiCaller;

  private constructor(
    readonly url: string,
    private readonly folder: string,
    readonly api: MailsteadProcess,
    readonly worker: MailsteadProcess,
  ) {
    this.master = new ApiCaller(url, MASTER_TOKEN);
    this.policy = new ApiCaller(url, POLICY_TOKEN);
  }

  /** The pid files of its processes, for the reaper. */
  static pidFiles(folder: string): string[] {
    return ['api', 'worker', 'policyd'].map((name) => MailsteadProcess.pidFile(folder, name));
  }

  /** Starts the processes; the API makes the tables and views. Throws with the log of the one that does not start. */
  static async start(options: PlatformOptions): Promise<Platform> {
    const url = `http://127.0.0.1:${options.port}`;
    const environment = {
      PORT: String(options.port),
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl,
      MASTER_TOKEN,
      OPERATOR_TOKENS: `policyd:policy:${POLICY_TOKEN}`,
      SECRET_KEY: 'secret-key-of-the-mail-rig-0123456789abcd',
      BCRYPT_COST: '4',
      SANDBOX_VERIFY_AFTER: '0',
      // Nobody answers there, and at once: no test waits for the machine's resolver.
      DNS_SERVERS: '127.0.0.1:9',
      ...options.mailEnvironment,
      ...options.environment,
    };
    const answers = async (): Promise<boolean> => (await fetch(`${url}/health`)).ok;
    const api = new MailsteadProcess('api', options.folder, environment, answers);
    const worker: MailsteadProcess = new MailsteadProcess('worker', options.folder, environment, async () =>
      (await worker.log()).includes('"working"'),
    );
    await api.start();
    await worker.start();
    return new Platform(url, options.folder, api, worker);
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.stop(), this.worker.stop()]);
  }

  /** Starts the policy daemon and its milter on these ports. Postfix refuses submission until it is there. */
  async startPolicyDaemon(policyPort: number, milterPort: number): Promise<MailsteadProcess> {
    const daemon: MailsteadProcess = new MailsteadProcess(
      'policyd',
      this.folder,
      {
        MAILSTEAD_URL: this.url,
        POLICY_TOKEN,
        POLICY_LISTEN: `127.0.0.1:${policyPort}`,
        MILTER_LISTEN: `127.0.0.1:${milterPort}`,
        METER_LOG: `${this.folder}/dovecot.log`,
        METER_STATE: `${this.folder}/meter.json`,
      },
      async () => (await daemon.log()).includes('"listening"'),
    );
    await daemon.start();
    return daemon;
  }

  /** A key for a partner, made by master. */
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
 * Makes a domain by its partner's key, and waits until the relay provider verified it: its mail is taken from then on.
 */
export async function addDomain(partner: ApiCaller, name: string): Promise<void> {
  await partner.post('/domains/', { name });
  await until(`${name} to be verified`, async () => (await partner.get(`/domains/${name}/relay-status`)).verified);
}

/** Makes mailboxes with the usual password. */
export async function addMailboxes(partner: ApiCaller, ...addresses: string[]): Promise<void> {
  for (const email of addresses) await partner.post('/users/', { email, password: PASSWORD });
}

/** Makes an alias of one or several destinations; an address of `@domain` is a catch-all. */
export async function addAlias(partner: ApiCaller, address: string, ...destinations: string[]): Promise<void> {
  for (const destination of destinations) await partner.post('/aliases/', { address, destination });
}
