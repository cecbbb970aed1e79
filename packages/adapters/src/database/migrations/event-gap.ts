import type { Migration } from './step.js';

/** The positions of events that restores from a backup skipped, one row for each gap. */
export const eventGap: Migration['statements'] = [
  {
    mysql: [
      [
        'CreateEventGap',
        'CREATE TABLE `event_gap` (`after_position` bigint NOT NULL, `last_position` bigint NOT NULL, PRIMARY KEY (`after_position`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreateEventGap',
        'CREATE TABLE "event_gap" ("after_position" integer PRIMARY KEY NOT NULL, "last_position" integer NOT NULL)',
      ],
    ],
  },
];
