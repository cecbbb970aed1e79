import { randomBytes } from 'node:crypto';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freePorts } from '../../../../scripts/free-port.mjs';
import { Reaper } from '../reaper.js';
import { type RenderedFile, renderMailStack } from '../render/render-mail-stack.js';
import { configDirectoryOf, postfixInstances } from '../render/render-postfix.js';
import { writeRendered } from '../render/write-rendered.js';
import { type MailStackSettings, parseMailStackSettings, type RelaySettings } from '../settings/mail-stack-settings.js';
import { type Certificate, makeCertificate } from './certificate.js';
import { ImapClient } from './imap-client.js';
import { Platform } from './platform.js';
import { RelayStandIn } from './relay-stand-in.js';
import { retryQueue } from './retry-queue.js';
import { databaseUsers, type RigDatabase } from './rig-database.js';
import { type RigServices, startRigServices } from './rig-services.js';
import { runProgram, startServer } from './run-program.js';
import { SmtpClient } from './smtp-client.js';
import { until } from './until.js';

export interface MailRigOptions {
  /** The policy daemon's address; used from the first submitted message on. */
  policyd: string;
  milter: string;
  /** The policy daemon's address for Dovecot; without it, passwords are checked at once. */
  logins?: string;
  /** Further settings of the mail stack. */
  settings?: Record<string, unknown>;
  /** Further settings of Dovecot. */
  dovecot?: Record<string, unknown>;
  /** 40 without it. */
  messageSizeMb?: number;
  /** The operator's own lines in Postfix. */
  extra?: string[];
  /** The mailbox as which the doctor submits messages. Its password and token are in the files of the settings. */
  doctorMailbox?: string;
  /** `other` without it. */
  defaultRelay?: RelaySettings['kind'];
  /** Of Mailstead's processes. */
  environment?: Record<string, string>;
  /** Whether Mailstead runs in the process of the test, where it cannot kill it. */
  inProcess?: boolean;
  /** A separate database server, which the test may kill. */
  ownDatabase?: boolean;
}

/** A message in Postfix's queue, from `postqueue -j`. */
export interface QueuedMessage {
  queue_name: string;
  queue_id: string;
  sender: string;
  recipients: { address: string; delay_reason?: string }[];
}

interface Ports {
  mx: number;
  submission: number;
  submissions: number;
  imaps: number;
  pop3s: number;
  doveadm: number;
  doctor: number;
  api: number;
}

/**
 * Runs MariaDB, Redis, Mailstead's API and worker, Postfix and Dovecot with the rendered configuration, on free ports
 * and in a temporary folder. Call `stop` at the end. If the process dies before, the reaper stops the servers.
 */
export class MailRig {
  private constructor(
    readonly folder: string,
    readonly ports: Ports,
    readonly settings: MailStackSettings,
    readonly services: RigServices,
    readonly platform: Platform,
    /** The self-signed certificate of all servers, for "localhost". */
    readonly certificate: Certificate,
    /** The default relay, and a second relay for `mta_relay`. */
    readonly relays: readonly [RelayStandIn, RelayStandIn],
    private readonly reaper: Reaper,
  ) {}

  static async start(options: MailRigOptions): Promise<MailRig> {
    const folder = await mkdtemp(join(tmpdir(), 'mail-rig-'));
    await chmod(folder, 0o755);
    const reaper = Reaper.watch(folder, [
      `${folder}/queue/pid/master.pid`,
      `${folder}/queue-submission/pid/master.pid`,
      `${folder}/dovecot-run/master.pid`,
      ...Platform.pidFiles(folder),
    ]);
    try {
      const [mx = 0, submission = 0, submissions = 0, imaps = 0, pop3s = 0, doveadm = 0, doctor = 0, api = 0] =
        await freePorts(8);
      const ports = { mx, submission, submissions, imaps, pop3s, doveadm, doctor, api };
      const [certificate, services] = await Promise.all([
        makeCertificate(folder),
        startRigServices(options.ownDatabase ?? false),
        makeFolders(folder),
      ]);
      const relays = [
        await RelayStandIn.start(certificate, options.defaultRelay),
        await RelayStandIn.start(certificate),
      ] as const;
      const settings = parseMailStackSettings({
        ...rigSettings(folder, ports, services.database, options),
        relays: relays.map((relay) => relay.settings),
      });
      const files = renderMailStack(settings);
      await writeRendered(files, folder);
      const platform = await Platform.start({
        folder,
        port: api,
        databaseUrl: services.database.url,
        redisUrl: services.redisUrl,
        mailEnvironment: parseEnv(contentOf(files, 'mailstead.env')) as Record<string, string>,
        policydEnvironment: parseEnv(contentOf(files, 'policyd.env')) as Record<string, string>,
        environment: options.environment ?? {},
        inProcess: options.inProcess ?? false,
      });
      await services.database.query(contentOf(files, 'grants.sql'));
      const rig = new MailRig(folder, ports, settings, services, platform, certificate, relays, reaper);
      await rig.startServers().catch(async (error: Error) => {
        // Only their logs say why servers do not start.
        throw new Error(`${error.message}\n${await rig.logs()}`, { cause: error });
      });
      return rig;
    } catch (error) {
      await reaper.reap();
      throw error;
    }
  }

  /** Opens a session on port 25 from another host. */
  async stranger(): Promise<SmtpClient> {
    return await SmtpClient.connect(this.ports.mx);
  }

  /** Opens a session on the submission port with TLS, without a login. */
  async submission(localAddress?: string): Promise<SmtpClient> {
    const client = await SmtpClient.connect(this.ports.submission, localAddress);
    await client.startTls(this.certificate.cert);
    return client;
  }

  async imap(localAddress?: string): Promise<ImapClient> {
    return await ImapClient.connect(this.ports.imaps, this.certificate.cert, localAddress);
  }

  /** Returns the subjects in a mailbox's inbox. Uses doveadm, which also reads mail of a suspended domain. */
  async inbox(user: string): Promise<string[]> {
    const text = await this.doveadm('fetch', '-u', user, 'hdr.subject', 'mailbox', 'INBOX', 'all');
    return [...text.matchAll(/hdr\.subject: (.*)/g)].map(([, subject = '']) => subject);
  }

  async arrival(user: string, subject: string): Promise<void> {
    await until(`"${subject}" in the inbox of ${user}`, async () => (await this.inbox(user)).includes(subject));
  }

  /** Stores a message with a save date some days ago: sets a false clock for this doveadm command. */
  async saveDaysAgo(user: string, days: number, subject: string): Promise<void> {
    const file = join(this.folder, 'to-save.eml');
    await writeFile(file, `Subject: ${subject}\r\n\r\nHello\r\n`);
    const config = `${this.settings.dovecot.configDirectory}/dovecot.conf`;
    await runProgram('faketime', ['-f', `-${days}d`, 'doveadm', '-c', config, 'save', '-u', user, file], {
      ...process.env,
      // doveadm restarts itself with a clean environment, which would remove the false clock.
      DOVECOT_PRESERVE_ENVS: 'LD_PRELOAD FAKETIME FAKETIME_SHARED',
    });
  }

  async doveadm(...args: string[]): Promise<string> {
    return await runProgram('doveadm', ['-c', `${this.settings.dovecot.configDirectory}/dovecot.conf`, ...args]);
  }

  /** Returns the messages in the queues of both instances. */
  async queue(): Promise<QueuedMessage[]> {
    const lines = (await this.postfix('postqueue', '-j')).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as QueuedMessage);
  }

  /** Waits until a message to this recipient is deferred with a reason that contains this text. */
  async deferral(recipient: string, reason: string): Promise<void> {
    await until(`the deferral of the mail to ${recipient} ("${reason}")`, async () => {
      const waiting = (await this.queue()).filter(({ queue_name }) => queue_name === 'deferred');
      return waiting
        .flatMap(({ recipients }) => recipients)
        .some(({ address, delay_reason }) => address === recipient && delay_reason?.includes(reason));
    });
  }

  /** Retries all queued mail of each instance now. */
  async retryQueue(): Promise<void> {
    for (const directory of this.postfixDirectories()) await retryQueue(directory);
  }

  /**
   * Runs one of Postfix's commands on each instance, first on the instance of port 25, then on that of submission.
   *
   * @returns the output of both.
   */
  async postfix(command: string, ...args: string[]): Promise<string> {
    const printed: string[] = [];
    for (const directory of this.postfixDirectories()) printed.push(await this.postfixAt(directory, command, ...args));
    return printed.join('');
  }

  /** Runs one of Postfix's commands on the instance with this configuration. */
  async postfixAt(configDirectory: string, command: string, ...args: string[]): Promise<string> {
    return await runProgram(command, ['-c', configDirectory, ...args]);
  }

  private postfixDirectories(): string[] {
    return postfixInstances(this.settings).map((instance) => configDirectoryOf(this.settings, instance));
  }

  /** Returns the logs of Postfix and Dovecot. */
  async logs(): Promise<string> {
    const read = async (name: string): Promise<string> =>
      await readFile(join(this.folder, name), 'utf8').catch(() => '');
    return `${await read('postfix.log')}\n${await read('dovecot.log')}`;
  }

  /** Stops the servers and removes their folder, database and users. */
  async stop(): Promise<void> {
    try {
      await this.platform.stop();
      await this.services.stop(databaseUsers(this.settings));
    } finally {
      await this.reaper.reap();
      await Promise.all(this.relays.map(async (relay) => await relay.stop()));
    }
  }

  private async startServers(): Promise<void> {
    // Postfix starts first, because it creates the folder for Dovecot's sockets.
    const log = join(this.folder, 'start.log');
    for (const directory of this.postfixDirectories()) await startServer('postfix', ['-c', directory, 'start'], log);
    const { configDirectory } = this.settings.dovecot;
    await runProgram('sievec', ['-c', `${configDirectory}/dovecot.conf`, `${configDirectory}/mailstead.sieve`]);
    await startServer('dovecot', ['-c', `${configDirectory}/dovecot.conf`], log);
    await until('Postfix and Dovecot to answer', async () => {
      // No TLS on submission yet: without its milter, Postfix refuses every command there.
      const clients = [this.stranger(), SmtpClient.connect(this.ports.submission), this.imap()];
      const opened = await Promise.allSettled(clients);
      for (const result of opened) if (result.status === 'fulfilled') result.value.close();
      return opened.every(({ status }) => status === 'fulfilled');
    });
  }
}

function contentOf(files: readonly RenderedFile[], path: string): string {
  return files.find((file) => file.path === path)?.content ?? '';
}

async function makeFolders(folder: string): Promise<void> {
  const data = ['postfix-data', 'postfix-data-submission'];
  for (const name of ['queue', 'queue-submission', ...data, 'dovecot-run', 'dovecot-state', 'vmail']) {
    await mkdir(join(folder, name), { mode: 0o755 });
  }
  for (const name of data) {
    await runProgram('chown', ['postfix', join(folder, name)]);
    await chmod(join(folder, name), 0o700);
  }
  await chown(join(folder, 'vmail'), 5000, 5000);
  await appendFile(join(folder, 'postfix.log'), '');
}

function rigSettings(
  folder: string,
  ports: Ports,
  database: RigDatabase,
  options: MailRigOptions,
): Record<string, unknown> {
  const { hostname, port } = new URL(database.url);
  const login = (name: string): object => ({
    user: `${name}_${randomBytes(4).toString('hex')}`,
    password: randomBytes(16).toString('hex'),
  });
  return {
    hostname: 'mx.rig.test',
    postmaster: 'postmaster@rig.test',
    ipVersions: 'ipv4',
    tls: { certificateFile: `${folder}/cert.pem`, keyFile: `${folder}/key.pem` },
    mail: { root: `${folder}/vmail` },
    postfix: {
      configDirectory: `${folder}/postfix`,
      queueDirectory: `${folder}/queue`,
      dataDirectory: `${folder}/postfix-data`,
      submissionInstance: {
        configDirectory: `${folder}/postfix-submission`,
        queueDirectory: `${folder}/queue-submission`,
        dataDirectory: `${folder}/postfix-data-submission`,
      },
      logFile: `${folder}/postfix.log`,
      mx: `127.0.0.1:${ports.mx}`,
      submission: `127.0.0.1:${ports.submission}`,
      submissions: `127.0.0.1:${ports.submissions}`,
      extra: options.extra ?? [],
      messageSizeMb: options.messageSizeMb ?? 40,
    },
    dovecot: {
      configDirectory: `${folder}/dovecot`,
      baseDirectory: `${folder}/dovecot-run`,
      stateDirectory: `${folder}/dovecot-state`,
      logFile: `${folder}/dovecot.log`,
      instanceName: 'mail-rig',
      imap: null,
      imaps: `127.0.0.1:${ports.imaps}`,
      pop3s: `127.0.0.1:${ports.pop3s}`,
      lmtp: `${folder}/queue/private/dovecot-lmtp`,
      sasl: `${folder}/queue/private/dovecot-auth`,
      quotaStatus: `${folder}/queue/private/dovecot-quota`,
      doveadm: { address: `127.0.0.1:${ports.doveadm}`, apiKey: randomBytes(16).toString('hex') },
      ...options.dovecot,
    },
    database: {
      host: hostname,
      port: Number(port || 3306),
      socket: database.socket,
      name: database.name,
      // A server that resolves names uses "localhost" for the loopback address.
      clients: ['localhost', '127.0.0.1'],
      postfix: login('rig_mta'),
      dovecot: login('rig_mda'),
    },
    relayTls: { level: 'secure', caFile: `${folder}/cert.pem` },
    policyd: options.policyd,
    milter: options.milter,
    logins: options.logins ?? null,
    api: { url: `http://127.0.0.1:${ports.api}`, frames: `${folder}/frames` },
    doctor: {
      mailbox: options.doctorMailbox ?? null,
      address: `127.0.0.1:${ports.doctor}`,
      passwordFile: `${folder}/doctor-password`,
      tokenFile: `${folder}/doctor-token.env`,
      holdsStamp: `${folder}/holds-stamp`,
      outagesState: `${folder}/outages-state`,
    },
    test: { smtpdMaxUse: 1, fastFailures: true },
    ...options.settings,
  };
}
