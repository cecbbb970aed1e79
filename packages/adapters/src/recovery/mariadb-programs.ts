import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sslLinesOf } from '../database/driver/mysql-tls.js';
import { parseMysqlUrl } from '../database/driver/mysql-url.js';

/** The end of what a program wrote to stderr. */
const KEPT = 2_000;

export class ProgramError extends Error {}

/** A running program of MariaDB's client. */
export interface RunningProgram {
  child: ChildProcess;
  /** Rejects with `ProgramError` when the program fails. */
  ended: Promise<void>;
}

/** The name of the database in a DATABASE_URL. */
export function databaseNameOf(url: string): string {
  return parseMysqlUrl(url).database;
}

/**
 * Starts a program of MariaDB's client for the server of a DATABASE_URL. The password is not in its arguments or its
 * environment, which other users may see, but in a file (mode 0600) that has lost its name before the program starts:
 * nothing of it stays behind, whatever is killed.
 */
export function startMariadb(program: 'mariadb' | 'mariadb-dump', url: string, args: string[]): RunningProgram {
  const options = openUnnamed(optionsOf(url));
  try {
    const child = spawn(program, ['--defaults-file=/dev/fd/3', ...args], {
      stdio: [program === 'mariadb' ? 'pipe' : 'ignore', 'pipe', 'pipe', options],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-KEPT);
    });
    return { child, ended: endOf(child, program, () => said) };
  } finally {
    closeSync(options);
  }
}

/** The errors of a pipe whose program has ended. Its own error says why. */
const CLOSED = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];

export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CLOSED.includes(String(error.code));
}

async function endOf(child: ChildProcess, program: string, said: () => string): Promise<void> {
  const [code, signal] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new ProgramError(`${program} is missing: install the package mariadb-client`);
    throw error;
  })) as [number | null, NodeJS.Signals | null];
  if (code === 0) return;
  const lines = said()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  // Before it `mariadb` writes the statement, which may have rows.
  const errors = lines.filter((line) => /^ERROR \d/.test(line));
  const why = (errors.length > 0 ? errors : lines).join(' · ');
  throw new ProgramError(`${program} ended with ${signal ?? `exit code ${code}`}${why === '' ? '' : `: ${why}`}`);
}

/** As the service connects: by TCP, and with TLS where the URL asks for it. */
function optionsOf(url: string): string {
  const { host, port, user, password, tls } = parseMysqlUrl(url);
  return [
    '[client]',
    'protocol=tcp',
    ...sslLinesOf(tls, quoted),
    `host=${quoted(host)}`,
    `port=${port}`,
    `user=${quoted(user)}`,
    `password=${quoted(password)}`,
    '',
  ].join('\n');
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function openUnnamed(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-'));
  try {
    const path = join(folder, 'options');
    writeFileSync(path, text, { mode: 0o600 });
    return openSync(path, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
