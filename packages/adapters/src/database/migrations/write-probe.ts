import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/** Creates the table that the readiness check writes to. */
export function writeProbe(dialect: DialectName): Statement[] {
  return [
    [
      'CreateWriteProbe',
      dialect === 'mysql'
        ? 'CREATE TABLE `write_probe` (`id` bigint NOT NULL AUTO_INCREMENT, `filler` varchar(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB'
        : 'CREATE TABLE "write_probe" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "filler" varchar(1000) NOT NULL)',
    ],
  ];
}
