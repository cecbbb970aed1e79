import { spawn } from 'node:child_process';
import { chmod, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection, createPool, type Pool } from 'mysql2/promise';
import { runProgram } from './run-program.js';
import { until } from './until.js';

export type Row = Record<string, string | number | null>;

/** A database of its own for one rig: on a MariaDB that the rig starts, or on a running one. */
export class RigDatabase {
  private pool: Pool;

  private constructor(
    /** With all rights on the database, as Mailstead's own `DATABASE_URL`. */
    readonly url: string,
    readonly socket: string | null,
    private readonly server: PrivateServer | null,
  ) {
    this.pool = connectPool(url);
  }

  /** Starts a server in this folder; its pid file is `pidFile(folder)`. */
  static async startServer(folder: string, port: number): Promise<RigDatabase> {
    const server = new PrivateServer(folder, port);
    await server.initialise();
    await server.start();
    await server.query(
      "CREATE DATABASE mailstead; CREATE USER rig@'127.0.0.1' IDENTIFIED BY 'rig'; GRANT ALL ON *.* TO rig@'127.0.0.1' WITH GRANT OPTION",
    );
    return new RigDatabase(`mysql://rig:rig@127.0.0.1:${port}/mailstead`, server.socket, server);
  }

  /** Makes a database on the server of an administrator's URL. */
  static async useServer(serverUrl: string, name: string): Promise<RigDatabase> {
    const url = new URL(serverUrl);
    const admin = await createConnection({ uri: serverUrl });
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    url.pathname = `/${name}`;
    return new RigDatabase(url.href, null, null);
  }

  static pidFile(folder: string): string {
    return join(folder, 'mysql.pid');
  }

  get name(): string {
    return new URL(this.url).pathname.slice(1);
  }

  /** Runs one or several statements; answers the rows of a single one. */
  async query(sql: string, values: (string | number)[] = []): Promise<Row[]> {
    const [rows] = await this.pool.query(sql, values);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  }

  /** Whether the rig started the server, and may kill it. */
  get isOwnServer(): boolean {
    return this.server !== null;
  }

  /** Ends the rig's own server without warning, as a power cut would. */
  async kill(): Promise<void> {
    await this.ownServer().kill();
  }

  /** Starts it again on what it had written. */
  async startAgain(): Promise<void> {
    await this.ownServer().start();
  }

  /** Drops the database and these users where the server goes on running. */
  async close(users: readonly string[]): Promise<void> {
    if (this.server === null) {
      await this.query([`DROP DATABASE ${this.name}`, ...users.map((user) => `DROP USER IF EXISTS ${user}`)].join(';'));
    }
    await this.pool.end();
  }

  private ownServer(): PrivateServer {
    if (this.server === null) {
      throw new Error('The database server is not the rig’s own.');
    }
    return this.server;
  }
}

class PrivateServer {
  readonly socket: string;

  constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {
    this.socket = join(folder, 'mysql.sock');
  }

  async initialise(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await chmod(this.folder, 0o755);
    await runProgram('chown', ['mysql', this.folder]);
    await runProgram('mariadb-install-db', [
      '--no-defaults',
      '--user=mysql',
      `--datadir=${this.folder}/data`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]);
  }

  async start(): Promise<void> {
    const log = await open(join(this.folder, 'mariadb.log'), 'a');
    const child = spawn(
      'mariadbd',
      [
        '--no-defaults',
        '--user=mysql',
        `--datadir=${this.folder}/data`,
        `--socket=${this.socket}`,
        `--pid-file=${RigDatabase.pidFile(this.folder)}`,
        `--port=${this.port}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        '--innodb-buffer-pool-size=32M',
        '--innodb-flush-log-at-trx-commit=2',
      ],
      { detached: true, stdio: ['ignore', log.fd, log.fd] },
    );
    child.unref();
    await log.close();
    await until(
      'MariaDB to answer',
      async () =>
        await this.query('SELECT 1').then(
          () => true,
          () => false,
        ),
    );
  }

  async kill(): Promise<void> {
    const file = RigDatabase.pidFile(this.folder);
    process.kill(Number(await readFile(file, 'utf8')), 'SIGKILL');
    await rm(file, { force: true });
    await until(
      'MariaDB to be gone',
      async () =>
        await this.query('SELECT 1').then(
          () => false,
          () => true,
        ),
    );
  }

  async query(sql: string): Promise<void> {
    const connection = await createConnection({ socketPath: this.socket, user: 'root', multipleStatements: true });
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  }
}

function connectPool(uri: string): Pool {
  return createPool({ uri, multipleStatements: true, connectionLimit: 4, timezone: 'Z' });
}
