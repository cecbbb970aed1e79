import type { Dialect, DialectName } from '../driver/dialect.js';
import { mysqlDatabaseWriter, sqliteDatabaseWriter } from './database-writer.js';
import { dnsRecords } from './dns-records.js';
import { mysqlInitial } from './mysql-initial.js';
import { mysqlViews } from './mysql-views.js';
import { mysqlViewsDestinations } from './mysql-views-destinations.js';
import { outboundForwarded } from './outbound-forwarded.js';
import { relayEventAttempts } from './relay-event-attempts.js';
import { seeds } from './seeds.js';
import { sqliteInitial } from './sqlite-initial.js';
import { type MigrationClass, type Statement, steps } from './step.js';
import { mysqlTombstones, sqliteTombstones } from './tombstones.js';
import { writeProbe } from './write-probe.js';

/**
 * The groups of migrations by their first millisecond. Append new groups with a later millisecond; never change an old
 * one.
 */
const GROUPS: Record<DialectName, [firstMillisecond: number, statements: Statement[]][]> = {
  mysql: [
    [1772323200000, mysqlInitial],
    [1772323201000, seeds],
    [1772323202000, mysqlViews],
    [1772323210000, mysqlViewsDestinations],
    [1772323211000, outboundForwarded('mysql')],
    [1772323212000, mysqlTombstones],
    [1772323212500, writeProbe('mysql')],
    [1772323213000, mysqlDatabaseWriter],
    [1772323214000, relayEventAttempts('mysql')],
    [1772323215000, dnsRecords('mysql')],
  ],
  sqlite: [
    [1772323200000, sqliteInitial],
    [1772323201000, seeds],
    [1772323211000, outboundForwarded('sqlite')],
    [1772323212000, sqliteTombstones],
    [1772323212500, writeProbe('sqlite')],
    [1772323213000, sqliteDatabaseWriter],
    [1772323214000, relayEventAttempts('sqlite')],
    [1772323215000, dnsRecords('sqlite')],
  ],
};

/** @returns all migrations of a database, oldest first */
export function migrations(dialect: Dialect): MigrationClass[] {
  return GROUPS[dialect.name].flatMap(([firstMillisecond, statements]) => steps(statements, firstMillisecond));
}
