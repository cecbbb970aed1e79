import { needs } from '@mailstead/core/needs';
import type { CertificateStore, StoredCertificate } from '../../ses/certificate-source.js';
import { Database } from '../driver/database.js';
import { RelayStateRow } from './relay-states.js';

/** In the one row about the account at the relay provider. */
@needs(Database)
export class SqlCertificateStore implements CertificateStore {
  constructor(private readonly database: Database) {}

  async read(): Promise<StoredCertificate | null> {
    return (await this.database.manager.findOneByOrFail(RelayStateRow, { id: 1 })).certificate;
  }

  async save(certificate: StoredCertificate): Promise<void> {
    await this.database.manager.update(RelayStateRow, { id: 1 }, { certificate });
  }
}
