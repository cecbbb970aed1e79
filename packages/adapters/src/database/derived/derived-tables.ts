import type { Dialect } from '../driver/dialect.js';
import type { Derived } from './derived.js';
import { mtaDomain } from './mta-domain.js';

/** All derived tables of a database. */
export function derivedTables(dialect: Dialect): Derived[] {
  return dialect.isReadByMailServers ? [mtaDomain] : [];
}
