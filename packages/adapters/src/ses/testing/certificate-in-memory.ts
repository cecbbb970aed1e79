import type { CertificateStore, StoredCertificate } from '../certificate-source.js';

export class CertificateInMemory implements CertificateStore {
  constructor(public kept: StoredCertificate | null = null) {}

  async read(): Promise<StoredCertificate | null> {
    return this.kept;
  }

  async save(certificate: StoredCertificate): Promise<void> {
    this.kept = certificate;
  }
}
