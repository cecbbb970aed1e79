import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/** Adds the failed attempts of a relay event, and an index in the order of processing. */
export function relayEventAttempts(dialect: DialectName): Statement[] {
  return dialect === 'mysql' ? MYSQL : SQLITE;
}

const MYSQL: Statement[] = [
  ['AddRelayEventAttempts', 'ALTER TABLE `relay_event` ADD `attempts` int NOT NULL DEFAULT 0'],
  ['AddRelayEventNextAttemptAt', 'ALTER TABLE `relay_event` ADD `next_attempt_at` bigint NULL DEFAULT 0'],
  [
    'AddRelayEventReason',
    'ALTER TABLE `relay_event` ADD `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
  ],
  [
    'IndexIxRelayEventDue',
    'CREATE INDEX `ix_relay_event_due` ON `relay_event` (`processed_at`, `next_attempt_at`, `id`)',
  ],
  ['DropIxRelayEventPending', 'DROP INDEX `ix_relay_event_pending` ON `relay_event`'],
];

const SQLITE: Statement[] = [
  ['AddRelayEventAttempts', 'ALTER TABLE "relay_event" ADD COLUMN "attempts" integer NOT NULL DEFAULT (0)'],
  ['AddRelayEventNextAttemptAt', 'ALTER TABLE "relay_event" ADD COLUMN "next_attempt_at" integer DEFAULT (0)'],
  ['AddRelayEventReason', 'ALTER TABLE "relay_event" ADD COLUMN "reason" varchar(500)'],
  [
    'IndexIxRelayEventDue',
    'CREATE INDEX "ix_relay_event_due" ON "relay_event" ("processed_at", "next_attempt_at", "id")',
  ],
  ['DropIxRelayEventPending', 'DROP INDEX "ix_relay_event_pending"'],
];
