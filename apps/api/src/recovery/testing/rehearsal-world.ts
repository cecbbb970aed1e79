import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { BackupWorld } from '@mailstead/adapters/recovery/testing/backup-world';
import { Child } from '@mailstead/core/testing/child';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { type RunningRedis, type Stoppable, startServices } from '../../../../../scripts/services.mjs';
import { CHILD_MASTER, ChildService } from '../../testing/child-service.js';
import { Outside } from './outside.js';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const POLICY = 'policy-token-of-the-rehearsal-0123456789';
const METRICS_TOKEN = 'metrics-token-of-the-rehearsal-0123456789';

/** On a busy machine the build, which comes first, says that it runs, or waits for another one. */
const OF_THE_BUILD = /^(Building|Waiting for another process).*\n/gm;

interface Ended {
  code: number;
  printed: string;
  said: string;
}

/** An installation, its programs for an operator, and what is outside of it. */
export class RehearsalWorld {
  readonly backups: BackupWorld;
  outside!: Outside;
  api!: ChildService;
  /** Null on the embedded database, where the API runs the jobs. */
  worker: ChildService | null = null;
  private policyds: Child[] = [];
  private policyPort = 0;
  private redis: (RunningRedis & Stoppable) | null = null;
  private settings: Record<string, string> = {};

  constructor(readonly kind: DatabaseKind) {
    this.backups = new BackupWorld(kind);
  }

  async open(): Promise<void> {
    await this.backups.open();
    this.outside = await Outside.start();
    if (this.kind === 'mariadb') this.redis = await startServices({ redis: true });
    await this.moveToEmpty();
  }

  async close(): Promise<void> {
    await this.endProcesses('SIGKILL');
    await this.outside.close();
    await this.backups.close();
    await this.redis?.stop();
  }

  /** From here on, processes and programs use an empty database. Redis is the same. */
  async moveToEmpty(): Promise<void> {
    this.settings = {
      ...this.backups.environment(await this.backups.location()),
      ...(this.redis === null ? {} : { REDIS_URL: this.redis.redisUrl }),
      ...this.outside.settings,
      MASTER_TOKEN: CHILD_MASTER,
      METRICS_TOKEN,
      OPERATOR_TOKENS: `policyd:policy:${POLICY}`,
      BCRYPT_COST: '4',
      RATE_LIMIT: '0',
      RETENTION_GRACE_HOURS: '0',
    };
  }

  /** A connection of the test to the database. */
  database() {
    const { DATABASE_URL: url = null, DATA_DIR: dataDir = '' } = this.settings;
    return this.backups.database({ url, dataDir });
  }

  /** The API, with Redis a worker, and a policy daemon. */
  async startProcesses(): Promise<void> {
    this.api = await ChildService.start({ ...this.settings, PORT: String(await freePort()) });
    this.policyPort = await freePort();
    const policyd = new Child('policyd', {
      MAILSTEAD_URL: this.api.url,
      POLICY_TOKEN: POLICY,
      POLICY_LISTEN: `127.0.0.1:${this.policyPort}`,
      MILTER_LISTEN: `127.0.0.1:${await freePort()}`,
      LOGINS_LISTEN: 'off',
      POLICYD_DATA_DIR: join(this.backups.folder, 'policyd'),
    });
    this.policyds = [policyd];
    await policyd.said('listening');
    if (this.redis !== null) await this.startWorker();
  }

  async startWorker(): Promise<void> {
    const port = String(await freePort());
    this.worker = await ChildService.spawn('worker', { ...this.settings, WORKER_PORT: port, PORT: port });
    await this.worker.said('working');
  }

  async endProcesses(signal: NodeJS.Signals): Promise<void> {
    for (const each of [this.worker, ...this.policyds, this.api]) if (each?.isRunning === true) await each.end(signal);
    this.worker = null;
  }

  /** What each process says of the restore: whether it is closed. */
  async closed(): Promise<boolean[]> {
    const isUnready = async (service: ChildService) => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
      const answer = await fetch(`${service.url}/health/ready`, { headers });
      return answer.status === 503 && (await answer.text()).includes('restored from a backup');
    };
    return [
      await isUnready(this.api),
      ...(this.worker === null ? [] : [await isUnready(this.worker)]),
      /was restored/.test(await this.verdict()),
    ];
  }

  /** The policy daemon's action for a message of the domain `acme.example`. */
  async verdict(): Promise<string> {
    const socket = connect(this.policyPort, '127.0.0.1');
    const fields = {
      request: 'smtpd_access_policy',
      protocol_state: 'RCPT',
      protocol_name: 'ESMTP',
      queue_id: '',
      instance: `${process.pid}.${process.hrtime.bigint()}`,
      sasl_username: 'alice@acme.example',
      sender: 'alice@acme.example',
      recipient: 'someone@elsewhere.example',
      size: '100',
    };
    socket.write(
      `${Object.entries(fields)
        .map(([name, value]) => `${name}=${value}\n`)
        .join('')}\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString().trim();
  }

  /** `npm run backup` or `npm run restore`, as a user types it. */
  run(script: 'backup' | 'restore', ...args: string[]): Promise<Ended> {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, npm_config_loglevel: 'silent', ...this.settings };
    return new Promise((resolve) => {
      const child = execFile(
        'npm',
        ['run', '--silent', script, '--', ...args],
        { cwd: ROOT, env },
        (_, printed, said) => resolve({ code: child.exitCode ?? -1, printed, said: said.replaceAll(OF_THE_BUILD, '') }),
      );
    });
  }
}
