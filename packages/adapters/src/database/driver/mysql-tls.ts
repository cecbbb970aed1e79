import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import type { SslOptions } from 'mysql2';
import { WrongPart } from '../../server-url.js';

/** The certificates of the authorities that may have issued that of the server. */
interface Authorities {
  caFile: string;
  /** What the file contained, in PEM. */
  ca: string;
}

/**
 * How connections with the server are encrypted. `REQUIRED` verifies no certificate, `VERIFY_CA` who issued it, and
 * `VERIFY_IDENTITY` also that it is for the name of the host.
 */
export type MysqlTls = { mode: 'REQUIRED' } | ({ mode: 'VERIFY_CA' | 'VERIFY_IDENTITY' } & Authorities);

const FORM = 'after the database, ?ssl-mode=REQUIRED or ?ssl-mode=VERIFY_IDENTITY&ssl-ca=/path/of/authorities.pem';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const BEGIN = /-----BEGIN CERTIFICATE-----/g;

/**
 * Reads the part of a DATABASE_URL after `?`, and the file that it names.
 *
 * @param query null when the URL has none
 * @throws WrongPart
 */
export function parseMysqlTls(query: string | null, host: string): MysqlTls | null {
  if (query === null) return null;
  const values = valuesOf(query);
  const mode = values.get('ssl-mode');
  const caFile = values.get('ssl-ca');
  if (mode === 'REQUIRED') {
    if (caFile === undefined) return { mode };
    throw new WrongPart(
      'has ssl-ca with ssl-mode=REQUIRED, which verifies no certificate: write ssl-mode=VERIFY_IDENTITY',
    );
  }
  if (mode !== 'VERIFY_CA' && mode !== 'VERIFY_IDENTITY') {
    throw new WrongPart('must have ssl-mode=REQUIRED, ssl-mode=VERIFY_CA or ssl-mode=VERIFY_IDENTITY after the ?');
  }
  // The driver would compare an address with the names of "localhost".
  if (mode === 'VERIFY_IDENTITY' && isIP(host) !== 0) {
    throw new WrongPart('must have a name as its host with ssl-mode=VERIFY_IDENTITY, not an address');
  }
  if (caFile === undefined) {
    throw new WrongPart(
      `must have ssl-ca with ssl-mode=${mode}: for public authorities, that of the system such as /etc/ssl/certs/ca-certificates.crt`,
    );
  }
  return { mode, ...readAuthorities(caFile, 'ssl-ca') };
}

/**
 * @param setting what names the file, for messages
 * @throws WrongPart for a file that cannot be read or that has no certificate
 */
export function readAuthorities(caFile: string, setting: string): Authorities {
  const wrong = new WrongPart(
    `must have as ${setting} the absolute path of a file of certificates (PEM) that can be read`,
  );
  if (!isAbsolute(caFile)) throw wrong;
  try {
    const ca = readFileSync(caFile, 'utf8');
    const certificates = (ca.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
    // Programs that use OpenSSL refuse a file that ends in the middle of a certificate.
    if (certificates.length > 0 && certificates.length === ca.match(BEGIN)?.length) return { caFile, ca };
  } catch {
    throw wrong;
  }
  throw wrong;
}

/** The options of the driver. */
export function sslOptionsOf(tls: MysqlTls): SslOptions {
  if (tls.mode === 'REQUIRED') return { rejectUnauthorized: false };
  return { ca: tls.ca, rejectUnauthorized: true, verifyIdentity: tls.mode === 'VERIFY_IDENTITY' };
}

/** The lines of an option file for MariaDB's programs. */
export function sslLinesOf(tls: MysqlTls | null, quoted: (value: string) => string): string[] {
  if (tls === null) return ['skip-ssl'];
  if (tls.mode === 'REQUIRED') return ['ssl', 'skip-ssl-verify-server-cert'];
  // Without the verification of the name they speak in plain text with a server that says it has no TLS.
  return ['ssl', `ssl-ca=${quoted(tls.caFile)}`, 'ssl-verify-server-cert'];
}

function valuesOf(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    const [, name = '', value = ''] = /^(ssl-mode|ssl-ca)=(.+)$/s.exec(part) ?? [];
    if (name === '' || values.has(name)) throw new WrongPart(`may have ${FORM}, each name once, and nothing else`);
    values.set(name, decoded(value));
  }
  return values;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new WrongPart('must have in ssl-ca a % as %25');
  }
}
