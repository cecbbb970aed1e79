import type { Migration } from './step.js';

/** The domains whose deletion has begun and whose rows are moved in pieces. */
export const domainDeletion: Migration['statements'] = [
  {
    mysql: [
      [
        'CreateDomainDeletion',
        'CREATE TABLE `domain_deletion` (`domain_id` bigint NOT NULL, `tombstone_id` bigint NOT NULL, `expires_at` bigint NOT NULL, PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreateDomainDeletion',
        'CREATE TABLE "domain_deletion" ("domain_id" integer PRIMARY KEY NOT NULL, "tombstone_id" integer NOT NULL, "expires_at" integer NOT NULL)',
      ],
    ],
  },
];
