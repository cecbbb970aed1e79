import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PolicyStage } from './mail-sessions.js';
import { freePort } from './service.js';

/** Another policy daemon that counts, from Debian's packages. */
export interface PolicyPeer {
  name: string;
  port: number;
  /** The stage at which it counts. */
  countsAt: PolicyStage;
  stop(): Promise<void>;
}

/** Starts the peers that are installed on this machine (`apt-get install postfwd policyd-rate-limit`). */
export async function startPolicyPeers(): Promise<PolicyPeer[]> {
  const peers = [
    isInstalled('postfwd1') ? await startPostfwd() : [],
    isInstalled('policyd-rate-limit') ? await startRateLimit() : [],
  ];
  return peers.flat();
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts postfwd, which counts recipients of each login and day in memory. It does not listen without a syslog, so one
 * is provided.
 */
async function startPostfwd(): Promise<PolicyPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'postfwd-'));
  await chmod(folder, 0o755);
  const rules = join(folder, 'rules');
  await writeFile(
    rules,
    'id=OUT01\n  protocol_state==END-OF-MESSAGE\n  action=rcpt(sasl_username/1000000000/86400/450 4.7.1 limit reached)\n',
  );
  const syslog = createSocket('udp4').bind(514, '127.0.0.1');
  await once(syslog, 'listening');
  const port = await freePort();
  execFileSync('chown', ['nobody', folder]);
  // postfwd runs itself in the background.
  const options = `-d -f ${rules} -i 127.0.0.1 -p ${port} -u nobody -g nogroup --pidfile ${folder}/pid -n -c 0 --socktype udp`;
  execFileSync('postfwd1', options.split(' '), { stdio: 'ignore' });
  await answers(port);
  return {
    name: 'postfwd1',
    port,
    countsAt: 'END-OF-MESSAGE',
    stop: async () => {
      process.kill(Number(await readFile(`${folder}/pid`, 'utf8')));
      syslog.close();
    },
  };
}

/** Starts policyd-rate-limit, which counts every RCPT request of a login in SQLite. */
async function startRateLimit(): Promise<PolicyPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'policyd-rate-limit-'));
  execFileSync('chown', ['policyd-rate-limit', folder]);
  const port = await freePort();
  const original = execFileSync('cat', ['/etc/policyd-rate-limit.yaml'], { encoding: 'utf8' });
  const settings = original
    .replace(/^debug: .*$/m, 'debug: False')
    .replace(/^pidfile: .*$/m, `pidfile: "${folder}/pid"`)
    .replace(/database: "\/var\/lib\/policyd-rate-limit\/db.sqlite3"/, `database: "${folder}/db.sqlite3"`)
    .replace(/^SOCKET: .*$/m, `SOCKET: ["127.0.0.1", ${port}]`)
    .replace(/^limits:\n(?: {4}- .*\n)+/m, 'limits:\n    - [1000000000, 86400]\n');
  const file = join(folder, 'settings.yaml');
  await writeFile(file, settings);
  await chmod(folder, 0o755);
  const child = spawn('policyd-rate-limit', ['-f', file], { stdio: 'ignore' });
  await answers(port);
  return { name: 'policyd-rate-limit', port, countsAt: 'RCPT', stop: () => end(child) };
}

/** Waits until a server listens on the port. @throws Error after 10 s. */
async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const opened = await once(socket, 'connect').catch(() => null);
    socket.destroy();
    if (opened !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nobody listens on port ${port}`);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
