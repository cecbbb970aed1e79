import type { Migration, Statement } from './step.js';

const HASH = 'varchar(64) CHARACTER SET ascii COLLATE ascii_bin';

const MYSQL: Statement[] = [
  [
    'CreatePortalLink',
    `CREATE TABLE \`portal_link\` (\`id\` bigint NOT NULL AUTO_INCREMENT, \`code_hash\` ${HASH} NOT NULL, \`kind\` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, \`domain_id\` bigint NOT NULL, \`partner_id\` bigint NOT NULL, \`key_id\` bigint NULL, \`operator_hash\` ${HASH} NULL, \`created_at\` bigint NOT NULL, \`expires_at\` bigint NOT NULL, \`used_at\` bigint NULL, INDEX \`ix_portal_link_domain\` (\`domain_id\`), INDEX \`ix_portal_link_key\` (\`key_id\`), INDEX \`ix_portal_link_partner\` (\`partner_id\`, \`id\`), INDEX \`ix_portal_link_expires\` (\`expires_at\`), UNIQUE INDEX \`uq_portal_link_code_hash\` (\`code_hash\`), PRIMARY KEY (\`id\`)) ENGINE=InnoDB`,
  ],
  [
    'CreatePortalSession',
    `CREATE TABLE \`portal_session\` (\`id\` bigint NOT NULL AUTO_INCREMENT, \`token_hash\` ${HASH} NOT NULL, \`key_id\` bigint NULL, \`operator_hash\` ${HASH} NULL, \`link_id\` bigint NULL, \`created_at\` bigint NOT NULL, \`last_used_at\` bigint NOT NULL, \`expires_at\` bigint NOT NULL, INDEX \`ix_portal_session_key\` (\`key_id\`, \`id\`), INDEX \`ix_portal_session_operator\` (\`operator_hash\`, \`id\`), INDEX \`ix_portal_session_link\` (\`link_id\`, \`id\`), INDEX \`ix_portal_session_expires\` (\`expires_at\`), UNIQUE INDEX \`uq_portal_session_token_hash\` (\`token_hash\`), PRIMARY KEY (\`id\`)) ENGINE=InnoDB`,
  ],
  ...[
    ['PortalLinkDomain', 'portal_link', 'domain_id', 'domain', 'CASCADE'],
    ['PortalLinkPartner', 'portal_link', 'partner_id', 'partner', 'NO ACTION'],
    ['PortalLinkKey', 'portal_link', 'key_id', 'api_key', 'CASCADE'],
    ['PortalSessionKey', 'portal_session', 'key_id', 'api_key', 'CASCADE'],
    ['PortalSessionLink', 'portal_session', 'link_id', 'portal_link', 'CASCADE'],
  ].map(([name = '', table = '', column = '', target = '', onDelete = '']): Statement => {
    const constraint = `fk_${table}_${column.replace('_id', '')}`;
    return [
      `LinkFk${name}`,
      `ALTER TABLE \`${table}\` ADD CONSTRAINT \`${constraint}\` FOREIGN KEY (\`${column}\`) REFERENCES \`${target}\`(\`id\`) ON DELETE ${onDelete} ON UPDATE NO ACTION`,
    ];
  }),
];

const SQLITE: Statement[] = [
  [
    'CreatePortalLink',
    'CREATE TABLE "portal_link" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "code_hash" varchar(64) NOT NULL, "kind" varchar(8) NOT NULL, "domain_id" integer NOT NULL, "partner_id" integer NOT NULL, "key_id" integer, "operator_hash" varchar(64), "created_at" integer NOT NULL, "expires_at" integer NOT NULL, "used_at" integer, CONSTRAINT "uq_portal_link_code_hash" UNIQUE ("code_hash"), CONSTRAINT "fk_portal_link_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, CONSTRAINT "fk_portal_link_partner" FOREIGN KEY ("partner_id") REFERENCES "partner" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION, CONSTRAINT "fk_portal_link_key" FOREIGN KEY ("key_id") REFERENCES "api_key" ("id") ON DELETE CASCADE ON UPDATE NO ACTION)',
  ],
  ['IndexIxPortalLinkDomain', 'CREATE INDEX "ix_portal_link_domain" ON "portal_link" ("domain_id")'],
  ['IndexIxPortalLinkKey', 'CREATE INDEX "ix_portal_link_key" ON "portal_link" ("key_id")'],
  ['IndexIxPortalLinkPartner', 'CREATE INDEX "ix_portal_link_partner" ON "portal_link" ("partner_id", "id")'],
  ['IndexIxPortalLinkExpires', 'CREATE INDEX "ix_portal_link_expires" ON "portal_link" ("expires_at")'],
  [
    'CreatePortalSession',
    'CREATE TABLE "portal_session" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "token_hash" varchar(64) NOT NULL, "key_id" integer, "operator_hash" varchar(64), "link_id" integer, "created_at" integer NOT NULL, "last_used_at" integer NOT NULL, "expires_at" integer NOT NULL, CONSTRAINT "uq_portal_session_token_hash" UNIQUE ("token_hash"), CONSTRAINT "fk_portal_session_key" FOREIGN KEY ("key_id") REFERENCES "api_key" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, CONSTRAINT "fk_portal_session_link" FOREIGN KEY ("link_id") REFERENCES "portal_link" ("id") ON DELETE CASCADE ON UPDATE NO ACTION)',
  ],
  ['IndexIxPortalSessionKey', 'CREATE INDEX "ix_portal_session_key" ON "portal_session" ("key_id", "id")'],
  [
    'IndexIxPortalSessionOperator',
    'CREATE INDEX "ix_portal_session_operator" ON "portal_session" ("operator_hash", "id")',
  ],
  ['IndexIxPortalSessionLink', 'CREATE INDEX "ix_portal_session_link" ON "portal_session" ("link_id", "id")'],
  ['IndexIxPortalSessionExpires', 'CREATE INDEX "ix_portal_session_expires" ON "portal_session" ("expires_at")'],
];

/** Adds portal links and sessions. Both end with the rows that they are bound to. */
export const sessions: Migration['statements'] = [{ mysql: MYSQL, sqlite: SQLITE }];
