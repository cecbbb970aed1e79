import { connectionTo, parseMysqlUrl } from '@mailstead/adapters/database/driver/mysql-url';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise';

/** Connects to the database of a DATABASE_URL as the service does, in TLS where the URL asks for it. */
export function connectTo(url: string, options: ConnectionOptions = {}): Promise<Connection> {
  return createConnection({ ...connectionTo(parseMysqlUrl(url)), ...options });
}
