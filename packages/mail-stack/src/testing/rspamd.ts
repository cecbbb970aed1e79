import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, open, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../../scripts/free-port.mjs';
import { Reaper } from '../reaper.js';
import { runProgram } from './run-program.js';
import { until } from './until.js';

const DOCUMENTED = new URL('../../../../integrations/rspamd/local.d/', import.meta.url);
const USER = '_rspamd';

/**
 * Runs Debian's rspamd with the files of `integrations/rspamd`, on a free port. The name server is that of the test,
 * and clients of the loopback interface are checked like others.
 */
export class Rspamd {
  private constructor(
    private readonly folder: string,
    readonly address: string,
    private readonly child: ChildProcess,
    private readonly reaper: Reaper,
  ) {}

  static async start(nameServer: string): Promise<Rspamd> {
    const folder = await mkdtemp(join(tmpdir(), 'rspamd-'));
    await chmod(folder, 0o755);
    const reaper = Reaper.watch(folder, [`${folder}/run/rspamd.pid`]);
    const [port = 0] = await freePorts(1);
    const own: Record<string, string> = {
      'worker-proxy.inc': `bind_socket = "127.0.0.1:${port}";`,
      'options.inc': [
        `pidfile = "${folder}/run/rspamd.pid";`,
        `dns { nameserver = ["${nameServer}"]; }`,
        'enable_test_patterns = true;',
        // Otherwise it compiles expressions for up to minutes before it listens.
        `url_tld = "${folder}/tld"; disable_hyperscan = true;`,
      ].join('\n'),
    };
    await writeFile(join(folder, 'tld'), 'test\n');
    for (const check of ['spf', 'dkim', 'dmarc']) own[`${check}.conf`] = 'check_local = true;';
    for (const name of ['override.d', 'db', 'run', 'log']) await mkdir(join(folder, name));
    await cp(DOCUMENTED, join(folder, 'local.d'), { recursive: true });
    for (const [name, text] of Object.entries(own)) await writeFile(join(folder, 'override.d', name), `${text}\n`);
    for (const name of ['db', 'run', 'log']) await runProgram('chown', [USER, join(folder, name)]);
    const log = await open(join(folder, 'start.log'), 'w');
    const folders = { LOCAL_CONFDIR: folder, DBDIR: `${folder}/db`, RUNDIR: `${folder}/run`, LOGDIR: `${folder}/log` };
    const variables = Object.entries(folders).map(([name, path]) => `--var=${name}=${path}`);
    const child = spawn('rspamd', ['-f', '-u', USER, '-g', USER, '-c', '/etc/rspamd/rspamd.conf', ...variables], {
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    const rspamd = new Rspamd(folder, `127.0.0.1:${port}`, child, reaper);
    await until('rspamd to listen', async () => {
      if (child.exitCode !== null) throw new Error(`rspamd ended: ${await rspamd.log()}`);
      return await accepts(port);
    });
    return rspamd;
  }

  async log(): Promise<string> {
    const read = async (name: string) => await readFile(join(this.folder, name), 'utf8').catch(() => '');
    return `${await read('start.log')}\n${await read('log/rspamd.log')}`;
  }

  /** Ends it at once, with its workers. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.reaper.reap();
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
