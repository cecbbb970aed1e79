// @ts-check
// The servers of partners at all hosts below hooks.test, for tests and benchmarks: one HTTPS server on the loopback
// device. A program that is started with `environment` posts its webhooks there.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './processes.mjs';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {{ host: string, id: string, body: string, at: number, status: number | null }} Received `at`: monotonic */
/** @typedef {(host: string, id: string) => number | 'hang'} Answer */

export class WebhookReceivers {
  /** @type {Received[]} */
  received = [];
  /**
   * How events and tests are answered: by a status, or never. Challenges are echoed when this is 2xx.
   * @type {Answer}
   */
  answer = () => 200;
  /** Called for each request, before it is answered. @type {(received: Received) => void} */
  onReceived = () => undefined;
  /** The most requests of one host that were open at the same time. @type {Map<string, number>} */
  mostOpen = new Map();
  /** @type {Map<string, number>} */
  #open = new Map();
  #folder;
  #server;

  /** @param {string} folder with key.pem and cert.pem */
  constructor(folder) {
    this.#folder = folder;
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
    this.#server = createServer({ key, cert }, (request, response) => this.#take(request, response));
  }

  static async start() {
    const folder = mkdtempSync(join(tmpdir(), 'mailstead-receivers-'));
    const subject = ['-subj', '/CN=hooks.test', '-addext', 'subjectAltName=DNS:hooks.test,DNS:*.hooks.test'];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    execFileSync('openssl', [...made, ...subject, ...files], { stdio: 'ignore' });
    const receivers = new WebhookReceivers(folder);
    receivers.#server.listen(0, '127.0.0.1');
    await once(receivers.#server, 'listening');
    return receivers;
  }

  /** The environment of a program whose webhooks come here. @returns {Record<string, string>} */
  get environment() {
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return {
      NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'scripts/loopback-webhooks.mjs')).href}`,
      NODE_EXTRA_CA_CERTS: join(this.#folder, 'cert.pem'),
      MAILSTEAD_TEST_RECEIVERS: String(port),
    };
  }

  /** What a host got and answered with 2xx. @param {string} host */
  taken(host) {
    return this.received.filter((each) => each.host === host && each.status !== null && each.status < 300);
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * @param {Request} request
   * @param {Response} response
   */
  #take(request, response) {
    const host = String(request.headers.host).replace(/:\d+$/, '');
    const open = (this.#open.get(host) ?? 0) + 1;
    this.#open.set(host, open);
    this.mostOpen.set(host, Math.max(open, this.mostOpen.get(host) ?? 0));
    response.once('close', () => this.#open.set(host, (this.#open.get(host) ?? 1) - 1));
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => this.#finish(host, request, Buffer.concat(chunks).toString(), response));
  }

  /**
   * @param {string} host
   * @param {Request} request
   * @param {string} body
   * @param {Response} response
   */
  #finish(host, request, body, response) {
    const id = String(request.headers['webhook-id']);
    const answer = this.answer(host, id);
    const status = answer === 'hang' ? null : answer;
    const received = { host, id, body, at: performance.now(), status };
    this.received.push(received);
    this.onReceived(received);
    if (status === null) return;
    const { challenge } = /** @type {{ challenge?: string }} */ (JSON.parse(body));
    response.writeHead(status).end(JSON.stringify(challenge === undefined ? {} : { challenge }));
  }
}
