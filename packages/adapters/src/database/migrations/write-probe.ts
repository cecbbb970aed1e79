import type { Migration } from './step.js';

/** Creates the table that the readiness check writes to. */
export const writeProbe: Migration['statements'] = [
  {
    mysql: [
      [
        'CreateWriteProbe',
        'CREATE TABLE `write_probe` (`id` bigint NOT NULL AUTO_INCREMENT, `filler` varchar(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreateWriteProbe',
        'CREATE TABLE "write_probe" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "filler" varchar(1000) NOT NULL)',
      ],
    ],
  },
];
