// @ts-check
// Certificates for the servers of tests, made by openssl.
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const DAY_MS = 86_400_000;

/** Days from now. @typedef {{ from: number, until: number }} Validity */

/** @type {Record<'now' | 'expired' | 'later', Validity>} */
export const VALID = { now: { from: -1, until: 30 }, expired: { from: -30, until: -1 }, later: { from: 1, until: 30 } };

/** `openssl ca` is the only program of OpenSSL 3.0 that sets both dates. */
const SETTINGS = `
[ca]
default_ca = own
[own]
database = index
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
[any]
commonName = supplied
`;

/** An authority of its own, whose certificate is in `file`. */
export class TestAuthority {
  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
    this.file = join(folder, 'authority.pem');
    this.keyFile = join(folder, 'authority.key');
  }

  /**
   * Makes the folder, which all users may read, because servers have users of their own.
   * @param {string} folder
   * @param {Validity} validity
   */
  static async make(folder, validity = VALID.now) {
    await mkdir(folder);
    await chmod(folder, 0o755);
    const authority = new TestAuthority(folder);
    const { keyFile } = authority;
    await writeFile(join(folder, 'settings'), SETTINGS);
    await writeFile(join(folder, 'index'), '');
    await run('openssl', ['req', ...KEY, '-subj', '/CN=Authority', '-keyout', keyFile, '-out', authority.path('csr')]);
    await authority.renew(validity);
    return authority;
  }

  /**
   * Makes its own certificate anew, with the same key.
   * @param {Validity} validity
   */
  async renew(validity) {
    await this.sign(this.path('csr'), this.file, validity, 'basicConstraints=critical,CA:TRUE', ['-selfsign']);
  }

  /**
   * The options with which mariadbd has a certificate for one name.
   * @param {string} name
   * @param {Validity} validity
   */
  async mariadbOptions(name, validity = VALID.now) {
    const { certificate, key } = await this.issue(`DNS:${name}`, validity);
    return [`--ssl-cert=${certificate}`, `--ssl-key=${key}`];
  }

  /**
   * Makes the files of a server, which all users may read.
   * @param {string} names such as `DNS:localhost,IP:127.0.0.1`
   * @param {Validity} validity
   */
  async issue(names, validity = VALID.now) {
    const [certificate, key, request] = [this.path('server.pem'), this.path('server.key'), this.path('server.csr')];
    await run('openssl', ['req', ...KEY, '-subj', '/CN=server', '-keyout', key, '-out', request]);
    await this.sign(request, certificate, validity, `subjectAltName=${names}`, ['-cert', this.file]);
    await chmod(key, 0o644);
    return { certificate, key };
  }

  /** @param {string} name */
  path(name) {
    return join(this.folder, name);
  }

  /**
   * @param {string} request
   * @param {string} certificate
   * @param {Validity} validity
   * @param {string} extension
   * @param {string[]} issuer
   */
  async sign(request, certificate, { from, until }, extension, issuer) {
    await writeFile(this.path('extension'), extension);
    const dates = ['-startdate', timeIn(from), '-enddate', timeIn(until)];
    const files = ['-config', 'settings', '-keyfile', this.keyFile, '-extfile', 'extension', '-outdir', '.'];
    const named = ['-in', request, '-out', certificate];
    await run('openssl', ['ca', '-batch', '-notext', ...files, ...issuer, ...dates, ...named], { cwd: this.folder });
  }
}

/** @param {number} days */
function timeIn(days) {
  const text = new Date(Date.now() + days * DAY_MS).toISOString();
  return `${text.slice(0, 19).replace(/[^\d]/g, '')}Z`;
}
