import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * The days of partners, and in the rows of domains how much of them is there. `mend-partner-days.ts` fills the rows,
 * because one statement over all days would lock them for minutes.
 */
export function outboundPartnerDays(dialect: DialectName): Statement[] {
  return dialect === 'mysql' ? MYSQL : SQLITE;
}

const MYSQL: Statement[] = [
  [
    'CreateOutboundPartnerDay',
    'CREATE TABLE `outbound_partner_day` (`partner_id` bigint NOT NULL, `day` varchar(10) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL, `sent` bigint NOT NULL, `bounces` bigint NOT NULL, `complaints` bigint NOT NULL, INDEX `ix_outbound_partner_day_day` (`day`), PRIMARY KEY (`partner_id`, `day`)) ENGINE=InnoDB',
  ],
  [
    'AddOutboundCounterPartnerDay',
    'ALTER TABLE `outbound_counter` ADD COLUMN `partner_day` varchar(10) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL DEFAULT \'\'',
  ],
  ['AddOutboundCounterPartnerSent', 'ALTER TABLE `outbound_counter` ADD COLUMN `partner_sent` int NOT NULL DEFAULT 0'],
  ['AddOutboundDayPartnerSent', 'ALTER TABLE `outbound_day` ADD COLUMN `partner_sent` int NOT NULL DEFAULT 0'],
  ['AddOutboundDayPartnerBounces', 'ALTER TABLE `outbound_day` ADD COLUMN `partner_bounces` int NOT NULL DEFAULT 0'],
  [
    'AddOutboundDayPartnerComplaints',
    'ALTER TABLE `outbound_day` ADD COLUMN `partner_complaints` int NOT NULL DEFAULT 0',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateOutboundPartnerDay',
    'CREATE TABLE "outbound_partner_day" ("partner_id" integer NOT NULL, "day" varchar(10) NOT NULL, "sent" integer NOT NULL, "bounces" integer NOT NULL, "complaints" integer NOT NULL, PRIMARY KEY ("partner_id", "day"))',
  ],
  ['IndexIxOutboundPartnerDayDay', 'CREATE INDEX "ix_outbound_partner_day_day" ON "outbound_partner_day" ("day")'],
  [
    'AddOutboundCounterPartnerDay',
    'ALTER TABLE "outbound_counter" ADD COLUMN "partner_day" varchar(10) NOT NULL DEFAULT (\'\')',
  ],
  [
    'AddOutboundCounterPartnerSent',
    'ALTER TABLE "outbound_counter" ADD COLUMN "partner_sent" integer NOT NULL DEFAULT (0)',
  ],
  ['AddOutboundDayPartnerSent', 'ALTER TABLE "outbound_day" ADD COLUMN "partner_sent" integer NOT NULL DEFAULT (0)'],
  [
    'AddOutboundDayPartnerBounces',
    'ALTER TABLE "outbound_day" ADD COLUMN "partner_bounces" integer NOT NULL DEFAULT (0)',
  ],
  [
    'AddOutboundDayPartnerComplaints',
    'ALTER TABLE "outbound_day" ADD COLUMN "partner_complaints" integer NOT NULL DEFAULT (0)',
  ],
];
