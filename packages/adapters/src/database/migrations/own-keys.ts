import { addColumn, addIndex, exact, flag, ref, text } from './alterations.js';
import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateApiKeyDomain',
    'CREATE TABLE `api_key_domain` (`key_id` bigint NOT NULL, `domain_id` bigint NOT NULL, INDEX `ix_api_key_domain_domain` (`domain_id`), PRIMARY KEY (`key_id`, `domain_id`), CONSTRAINT `fk_api_key_domain_key` FOREIGN KEY (`key_id`) REFERENCES `api_key` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION, CONSTRAINT `fk_api_key_domain_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateApiKeyDomain',
    'CREATE TABLE "api_key_domain" ("key_id" integer NOT NULL, "domain_id" integer NOT NULL, CONSTRAINT "fk_api_key_domain_key" FOREIGN KEY ("key_id") REFERENCES "api_key" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, CONSTRAINT "fk_api_key_domain_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, PRIMARY KEY ("key_id", "domain_id"))',
  ],
  ['IndexIxApiKeyDomainDomain', 'CREATE INDEX "ix_api_key_domain_domain" ON "api_key_domain" ("domain_id")'],
];

/**
 * Adds to keys the name, the scope, the domains that they are limited to, and the key that made them. Processes of the
 * former release insert keys without these columns, so these have defaults. Removing a maker does not remove what it
 * made by itself: the use cases do, and a key whose maker is missing is refused.
 */
export const ownKeys: Migration['statements'] = [
  addColumn('api_key', 'name', text(128)),
  addColumn('api_key', 'scope', exact(8, { default: 'manage' })),
  addColumn('api_key', 'is_limited', flag({ default: 0 })),
  addColumn('api_key', 'maker_id', ref()),
  addIndex('ix_api_key_maker', 'api_key', ['maker_id']),
  { mysql: MYSQL, sqlite: SQLITE },
];
