// @ts-check
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { ended, killGroup, spawnGroup } from './processes.mjs';
import { PATIENCE_MS } from './test-timeout.mjs';

const START_ATTEMPTS = 3;
const SHOWN_LOG_LINES = 25;

/**
 * @typedef {object} ServerOptions
 * @property {string} name For error messages.
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string | undefined>} env Added to the environment of this process.
 * @property {string} logFile Receives both output streams; its folder is the working folder.
 * @property {number} port
 * @property {(port: number) => Promise<boolean>} isReady Returns true when the server responds. A rejection is a failed
 * start.
 */

/** A server process that can be stopped, killed and started again on the same port and data. */
export class Server {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {Promise<void>} */
  #end = Promise.resolve();
  #options;

  /** @param {ServerOptions} options */
  constructor(options) {
    this.#options = options;
    /** The arguments of the next start. */
    this.args = options.args;
  }

  get port() {
    return this.#options.port;
  }

  /** Undefined while it is stopped. */
  get pid() {
    return this.#child?.pid;
  }

  /** Resolves when the server is ready. @throws Error with the end of its log. */
  async start() {
    const { name, command, env, logFile, port, isReady } = this.#options;
    if (this.#child !== undefined) throw new Error(`${name} is running already`);
    const log = openSync(logFile, 'a');
    const child = spawnGroup(command, this.args, {
      cwd: dirname(logFile),
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    let running = true;
    this.#child = child;
    this.#end = ended(child)
      .catch(() => undefined)
      .then(() => {
        running = false;
        this.#child = undefined;
      });
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await isReady(port))) {
      if (running && Date.now() < deadline) {
        await delay(20);
        continue;
      }
      await this.kill();
      throw new Error(`${name} did not start:\n${await endOfFile(logFile)}`);
    }
    // Another server may have taken the port meanwhile and may have responded.
    if (!running) throw new Error(`${name} did not start:\n${await endOfFile(logFile)}`);
  }

  /** Ends the server with SIGTERM, so that it writes its data. */
  async stop() {
    await this.#endBy('SIGTERM');
  }

  /** Ends the server with SIGKILL. */
  async kill() {
    await this.#endBy('SIGKILL');
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  /** @param {NodeJS.Signals} signal */
  async #endBy(signal) {
    if (this.#child === undefined) return;
    killGroup(this.#child, signal);
    await this.#end;
  }
}

/**
 * Starts a server on a free port, and on another port when the first one was taken meanwhile.
 * @template T
 * @param {(port: number) => Promise<T>} start
 * @returns {Promise<T>}
 */
export async function startOnFreePort(start) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === START_ATTEMPTS || !/address already in use|errno: 98/i.test(String(error))) throw error;
    }
  }
}

/**
 * Returns the last lines of a text file, or an empty text when it cannot be read.
 * @param {string} path
 */
export async function endOfFile(path) {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').slice(-SHOWN_LOG_LINES).join('\n');
}
