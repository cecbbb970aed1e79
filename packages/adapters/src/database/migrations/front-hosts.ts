import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateFrontHosts',
    'CREATE TABLE `front_hosts` (`domain_id` bigint NOT NULL, `hosts` varchar(5080) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `said_at` bigint NOT NULL, PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
  ],
  [
    'LinkFkFrontHostsDomain',
    'ALTER TABLE `front_hosts` ADD CONSTRAINT `fk_front_hosts_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateFrontHosts',
    'CREATE TABLE "front_hosts" ("domain_id" integer PRIMARY KEY NOT NULL, "hosts" varchar(5080) NOT NULL, "said_at" integer NOT NULL, CONSTRAINT "fk_front_hosts_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION)',
  ],
];

/** What the holders of domains said of hosts in front of ours. */
export const frontHosts: Migration['statements'] = [{ mysql: MYSQL, sqlite: SQLITE }];
