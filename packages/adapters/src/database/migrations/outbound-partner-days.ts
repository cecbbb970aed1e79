import { addColumn, exact, integer } from './alterations.js';
import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateOutboundPartnerDay',
    'CREATE TABLE `outbound_partner_day` (`partner_id` bigint NOT NULL, `day` varchar(10) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL, `sent` bigint NOT NULL, `bounces` bigint NOT NULL, `complaints` bigint NOT NULL, INDEX `ix_outbound_partner_day_day` (`day`), PRIMARY KEY (`partner_id`, `day`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateOutboundPartnerDay',
    'CREATE TABLE "outbound_partner_day" ("partner_id" integer NOT NULL, "day" varchar(10) NOT NULL, "sent" integer NOT NULL, "bounces" integer NOT NULL, "complaints" integer NOT NULL, PRIMARY KEY ("partner_id", "day"))',
  ],
  ['IndexIxOutboundPartnerDayDay', 'CREATE INDEX "ix_outbound_partner_day_day" ON "outbound_partner_day" ("day")'],
];

/**
 * The days of partners, and in the rows of domains how much of them is there. `correct-partner-days.ts` fills the rows,
 * because one statement over all days would lock them for minutes.
 */
export const outboundPartnerDays: Migration['statements'] = [
  { mysql: MYSQL, sqlite: SQLITE },
  addColumn('outbound_counter', 'partner_day', exact(10, { default: '' })),
  ...[
    ['outbound_counter', 'partner_sent'] as const,
    ['outbound_day', 'partner_sent'] as const,
    ['outbound_day', 'partner_bounces'] as const,
    ['outbound_day', 'partner_complaints'] as const,
  ].map(([table, column]) => addColumn(table, column, integer({ default: 0 }))),
];
