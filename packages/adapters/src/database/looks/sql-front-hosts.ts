import { needs } from '@mailstead/core/needs';
import { type FrontHosts, FrontHostsRepository } from '@mailstead/core/relay/front-hosts';
import { Database } from '../driver/database.js';

@needs(Database)
export class SqlFrontHosts extends FrontHostsRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(domainId: number): Promise<FrontHosts | null> {
    const [row] = await this.database.read('SELECT hosts, said_at FROM front_hosts WHERE domain_id = ?', [domainId]);
    return row === undefined ? null : { hosts: String(row.hosts).split(','), saidAt: new Date(Number(row.said_at)) };
  }

  override async save(domainId: number, said: FrontHosts | null): Promise<void> {
    await this.database.write('DELETE FROM front_hosts WHERE domain_id = ?', [domainId]);
    if (said === null) return;
    await this.database.write('INSERT INTO front_hosts (domain_id, hosts, said_at) VALUES (?, ?, ?)', [
      domainId,
      said.hosts.join(),
      said.saidAt.getTime(),
    ]);
  }
}
