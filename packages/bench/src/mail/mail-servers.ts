import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMysqlUrl } from '@mailstead/adapters/database/driver/mysql-url';
import { Reaper } from '@mailstead/mail-stack/reaper';
import { renderMailStack } from '@mailstead/mail-stack/render/render-mail-stack';
import { writeRendered } from '@mailstead/mail-stack/render/write-rendered';
import { parseMailStackSettings } from '@mailstead/mail-stack/settings/mail-stack-settings';
import { connectTo } from '../database.js';
import { freePort } from '../service.js';
import { INSTANCES, PostfixVariant, type StaticMaps, type VariantName } from './postfix-variant.js';

const MAIL_USER = 5000;
const VARIANTS = ['plain', 'maps', 'whole'] as const;

export interface MailServersOptions {
  databaseUrl: string;
  databaseSocket: string;
  policyPort: number;
  milterPort: number;
  apiUrl: string;
  maps: StaticMaps;
}

/**
 * The three variants of Postfix, one Dovecot for their quota policy, and a relay and an LMTP server that discard mail.
 */
export class MailServers {
  private constructor(
    readonly variants: readonly PostfixVariant[],
    private readonly folder: string,
    private readonly sinks: readonly ChildProcess[],
    private readonly reaper: Reaper,
  ) {}

  /** Starts all servers in a temporary folder. Needs root, and Debian's packages of Postfix and Dovecot. */
  static async start(options: MailServersOptions): Promise<MailServers> {
    const folder = await mkdtemp(join(tmpdir(), 'mailstead-bench-mail-'));
    chmodSync(folder, 0o755);
    // Postfix and Dovecot run in sessions of their own, so the end of this process does not end them.
    const reaper = Reaper.watch(folder, [`${folder}/dovecot-run/master.pid`, ...pidFilesOfPostfix(folder)]);
    const ports = { mx: await freePort(), submission: await freePort() };
    const [relayPort, lmtpPort] = [await freePort(), await freePort()];
    await render(folder, { ...ports, relay: relayPort }, options);
    for (const name of ['dovecot-run', 'dovecot-state', 'vmail', 'sockets']) mkdirSync(join(folder, name));
    chownSync(join(folder, 'vmail'), MAIL_USER, MAIL_USER);
    appendFileSync(join(folder, 'dovecot.log'), '');
    execFileSync('dovecot', ['-c', `${folder}/dovecot/dovecot.conf`], { stdio: 'ignore' });
    const sinks = [sink(['-u', 'nobody'], relayPort), sink(['-u', 'nobody', '-L'], lmtpPort)];
    const variants: PostfixVariant[] = [];
    for (const name of VARIANTS) {
      variants.push(await startVariant(name, { folder, ports, lmtpPort, maps: options.maps }));
    }
    return new MailServers(variants, folder, sinks, reaper);
  }

  /** The process id of Dovecot's master process. */
  get dovecot(): number {
    return Number(readFileSync(join(this.folder, 'dovecot-run/master.pid'), 'utf8'));
  }

  /** Removes their folder too. */
  async stop(): Promise<void> {
    await this.reaper.reap();
    for (const child of this.sinks) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
  }
}

function pidFilesOfPostfix(folder: string): string[] {
  return VARIANTS.flatMap((name) => INSTANCES.map((instance) => `${folder}/${name}/${instance}-queue/pid/master.pid`));
}

function sink(options: string[], port: number): ChildProcess {
  return spawn('/usr/sbin/smtp-sink', [...options, `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' });
}

async function startVariant(
  name: VariantName,
  place: {
    folder: string;
    ports: { mx: number; submission: number };
    lmtpPort: number;
    maps: StaticMaps;
  },
): Promise<PostfixVariant> {
  const { folder, ports: rendered, ...rest } = place;
  return PostfixVariant.start({
    ...rest,
    name,
    rendered: folder,
    folder: join(folder, name),
    ports: { rendered, own: { mx: await freePort(), submission: await freePort() } },
  });
}

/** Renders the production configuration with forwarding, so that port 25 uses policy daemon and milter too. */
async function render(
  folder: string,
  ports: { mx: number; submission: number; relay: number },
  options: MailServersOptions,
): Promise<void> {
  const certificate = { certificateFile: `${folder}/cert.pem`, keyFile: `${folder}/key.pem` };
  execFileSync(
    'openssl',
    [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost'.split(' '),
      '-keyout',
      certificate.keyFile,
      '-out',
      certificate.certificateFile,
    ],
    { stdio: 'ignore' },
  );
  const socket = (name: string) => `${folder}/sockets/${name}`;
  const login = (user: string) => ({ user, password: 'a-password-of-the-benchmarks' });
  const settings = parseMailStackSettings({
    hostname: 'mx.bench.example',
    postmaster: 'postmaster@bench.example',
    ipVersions: 'ipv4',
    tls: certificate,
    mail: { root: `${folder}/vmail` },
    postfix: {
      configDirectory: `${folder}/postfix`,
      queueDirectory: `${folder}/postfix-queue`,
      dataDirectory: `${folder}/postfix-data`,
      submissionInstance: {
        configDirectory: `${folder}/postfix-submission`,
        queueDirectory: `${folder}/postfix-submission-queue`,
        dataDirectory: `${folder}/postfix-submission-data`,
      },
      logFile: `${folder}/postfix.log`,
      mx: `127.0.0.1:${ports.mx}`,
      submission: `127.0.0.1:${ports.submission}`,
      submissions: null,
    },
    dovecot: {
      configDirectory: `${folder}/dovecot`,
      baseDirectory: `${folder}/dovecot-run`,
      stateDirectory: `${folder}/dovecot-state`,
      logFile: `${folder}/dovecot.log`,
      instanceName: 'mailstead-bench',
      imap: null,
      imaps: `127.0.0.1:${await freePort()}`,
      lmtp: socket('lmtp'),
      sasl: socket('auth'),
      quotaStatus: socket('quota'),
      doveadm: { address: `127.0.0.1:${await freePort()}`, apiKey: 'a-key-of-the-benchmarks' },
    },
    database: {
      ...locationOf(options),
      clients: ['localhost', '127.0.0.1'],
      postfix: login('bench_postfix'),
      dovecot: login('bench_dovecot'),
    },
    relays: [{ host: '127.0.0.1', port: ports.relay, username: 'bench', password: 'a-password-of-the-benchmarks' }],
    // The relay is an address, without TLS.
    relayTls: { level: 'encrypt' },
    forwarding: { srsDomain: 'srs.bench.example' },
    policyd: `127.0.0.1:${options.policyPort}`,
    milter: `127.0.0.1:${options.milterPort}`,
    logins: null,
    api: { url: options.apiUrl },
  });
  const files = renderMailStack(settings);
  await writeRendered(files, folder);
  const grants = files.find(({ path }) => path === 'grants.sql')?.content ?? '';
  const connection = await connectTo(options.databaseUrl, { multipleStatements: true });
  await connection.query(grants);
  await connection.end();
}

/** Where the mail servers find the database. They verify its certificate or have no TLS. */
function locationOf({ databaseUrl, databaseSocket }: MailServersOptions) {
  const { host, port, database: name, tls } = parseMysqlUrl(databaseUrl);
  if (tls === null) return { host, port, name, socket: databaseSocket };
  if (tls.mode !== 'VERIFY_IDENTITY') throw new Error('The bench of mail needs ssl-mode=VERIFY_IDENTITY, or no TLS');
  return { host, port, name, socket: null, tls: { caFile: tls.caFile } };
}
