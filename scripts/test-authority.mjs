// @ts-check
// Certificates for the servers of tests, made by openssl.
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

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
   */
  static async make(folder) {
    await mkdir(folder);
    await chmod(folder, 0o755);
    const authority = new TestAuthority(folder);
    const { file, keyFile } = authority;
    await run('openssl', [
      'req',
      '-x509',
      ...KEY,
      '-days',
      '30',
      '-subj',
      '/CN=Authority',
      '-keyout',
      keyFile,
      '-out',
      file,
    ]);
    return authority;
  }

  /**
   * The options with which mariadbd has a certificate for one name.
   * @param {string} name
   */
  async mariadbOptions(name) {
    const path = (/** @type {string} */ end) => join(this.folder, `server.${end}`);
    const [certificate, key, request, extension] = [path('pem'), path('key'), path('csr'), path('ext')];
    await run('openssl', ['req', ...KEY, '-subj', '/CN=server', '-keyout', key, '-out', request]);
    await writeFile(extension, `subjectAltName=DNS:${name}`);
    const issuer = ['-CA', this.file, '-CAkey', this.keyFile, '-CAcreateserial', '-days', '30', '-extfile', extension];
    await run('openssl', ['x509', '-req', '-in', request, ...issuer, '-out', certificate]);
    await chmod(key, 0o644);
    return [`--ssl-cert=${certificate}`, `--ssl-key=${key}`];
  }
}
