import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * Adds to keys the name, the scope, the domains that they are limited to, and the key that made them. Processes of the
 * former release insert keys without these columns, so these have defaults. Removing a maker does not remove what it
 * made by itself: the use cases do, and a key whose maker is missing is refused.
 */
export function ownKeys(dialect: DialectName): Statement[] {
  return dialect === 'mysql' ? MYSQL : SQLITE;
}

const MYSQL: Statement[] = [
  ['AddApiKeyName', 'ALTER TABLE `api_key` ADD `name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL'],
  [
    'AddApiKeyScope',
    "ALTER TABLE `api_key` ADD `scope` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'manage'",
  ],
  ['AddApiKeyIsLimited', 'ALTER TABLE `api_key` ADD `is_limited` tinyint NOT NULL DEFAULT 0'],
  ['AddApiKeyMakerId', 'ALTER TABLE `api_key` ADD `maker_id` bigint NULL'],
  ['IndexIxApiKeyMaker', 'CREATE INDEX `ix_api_key_maker` ON `api_key` (`maker_id`)'],
  [
    'CreateApiKeyDomain',
    'CREATE TABLE `api_key_domain` (`key_id` bigint NOT NULL, `domain_id` bigint NOT NULL, INDEX `ix_api_key_domain_domain` (`domain_id`), PRIMARY KEY (`key_id`, `domain_id`), CONSTRAINT `fk_api_key_domain_key` FOREIGN KEY (`key_id`) REFERENCES `api_key` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION, CONSTRAINT `fk_api_key_domain_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  ['AddApiKeyName', 'ALTER TABLE "api_key" ADD COLUMN "name" varchar(128)'],
  ['AddApiKeyScope', `ALTER TABLE "api_key" ADD COLUMN "scope" varchar(8) NOT NULL DEFAULT ('manage')`],
  ['AddApiKeyIsLimited', 'ALTER TABLE "api_key" ADD COLUMN "is_limited" integer NOT NULL DEFAULT (0)'],
  ['AddApiKeyMakerId', 'ALTER TABLE "api_key" ADD COLUMN "maker_id" integer'],
  ['IndexIxApiKeyMaker', 'CREATE INDEX "ix_api_key_maker" ON "api_key" ("maker_id")'],
  [
    'CreateApiKeyDomain',
    'CREATE TABLE "api_key_domain" ("key_id" integer NOT NULL, "domain_id" integer NOT NULL, CONSTRAINT "fk_api_key_domain_key" FOREIGN KEY ("key_id") REFERENCES "api_key" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, CONSTRAINT "fk_api_key_domain_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, PRIMARY KEY ("key_id", "domain_id"))',
  ],
  ['IndexIxApiKeyDomainDomain', 'CREATE INDEX "ix_api_key_domain_domain" ON "api_key_domain" ("domain_id")'],
];
