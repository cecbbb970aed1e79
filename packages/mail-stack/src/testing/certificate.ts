import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.js';

export interface Certificate {
  /** PEM. */
  cert: string;
  key: string;
}

/** Creates a self-signed certificate for "localhost" in the folder. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const kind = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost';
  const name = ['-addext', 'subjectAltName=DNS:localhost'];
  await runProgram('openssl', [...kind.split(' '), ...name, '-keyout', files.key, '-out', files.cert]);
  return { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
}
