import type { Dialect } from '../dialect.js';
import { mysqlInitial } from './mysql-initial.js';
import { mysqlViews } from './mysql-views.js';
import { mysqlViewsDestinations } from './mysql-views-destinations.js';
import { relayEventAttempts } from './relay-event-attempts.js';
import { seeds } from './seeds.js';
import { sqliteInitial } from './sqlite-initial.js';
import { type MigrationClass, steps } from './step.js';

/** All migrations of a database, oldest first. Append new groups with a later first millisecond; never change an old one. */
export function migrations(dialect: Dialect): MigrationClass[] {
  return dialect === 'mysql'
    ? [
        ...steps(mysqlInitial, 1772323200000),
        ...steps(seeds, 1772323201000),
        ...steps(mysqlViews, 1772323202000),
        ...steps(mysqlViewsDestinations, 1772323210000),
        ...steps(relayEventAttempts(dialect), 1772323214000),
      ]
    : [
        ...steps(sqliteInitial, 1772323200000),
        ...steps(seeds, 1772323201000),
        ...steps(relayEventAttempts(dialect), 1772323214000),
      ];
}
