import { ForwardingSwitch } from '@mailstead/core/aliases/forwarding-switch';
import { needs } from '@mailstead/core/needs';
import { Database } from './driver/database.js';
import { readInstallation } from './installation.js';

/** Reads the setting from the table `installation`. The administrator stores it with `grants.sql` of the mail stack. */
@needs(Database)
export class InstallationForwarding extends ForwardingSwitch {
  constructor(private readonly database: Database) {
    super();
  }

  override async isOn(): Promise<boolean> {
    if (!this.database.dialect.isReadByMailServers) return true;
    return (await readInstallation(this.database, 'forwarding')) === 'on';
  }
}
