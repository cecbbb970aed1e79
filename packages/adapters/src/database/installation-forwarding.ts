import { ForwardingSwitch } from '@mailstead/core/aliases/forwarding-switch';
import type { Database } from './driver/database.js';

/** The value that `grants.sql` of the mail stack wrote into `installation`, run by the administrator. */
export class InstallationForwarding extends ForwardingSwitch {
  constructor(private readonly database: Database) {
    super();
  }

  override async isOn(): Promise<boolean> {
    if (!this.database.dialect.isReadByMailServers) return true;
    const rows = await this.database.read<{ value: string }>(
      "SELECT value FROM installation WHERE name = 'forwarding'",
    );
    return rows[0]?.value === 'on';
  }
}
