import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding } from './finding.js';
import { readZonedTime } from './read-zoned-time.js';

const WARN_BEFORE_MS = 7 * 86_400_000;

/** Checks that the key matches the certificate, and that the certificate is valid for another week. */
export async function examineCertificate({ tls }: MailStackSettings): Promise<Finding[]> {
  return [
    await toFinding(`The certificate ${tls.certificateFile} cannot be used`, async () => {
      const certificate = new X509Certificate(await readFile(tls.certificateFile));
      if (!certificate.checkPrivateKey(createPrivateKey(await readFile(tls.keyFile)))) {
        throw new Error(`${tls.keyFile} is not its key`);
      }
      const end = new Date(readZonedTime(certificate.validTo));
      if (end.getTime() < Date.now() + WARN_BEFORE_MS) throw new Error(`it ends on ${end.toISOString().slice(0, 10)}`);
      return `The certificate is good until ${end.toISOString().slice(0, 10)}.`;
    }),
  ];
}
