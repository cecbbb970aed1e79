import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/** Adds a separate counter for forwarded mail: strangers' mail that aliases send on. */
export function outboundForwarded(dialect: DialectName): Statement[] {
  return [
    [
      'AddOutboundCounterForwardedToday',
      dialect === 'mysql'
        ? 'ALTER TABLE `outbound_counter` ADD COLUMN `forwarded_today` int NOT NULL DEFAULT 0'
        : 'ALTER TABLE "outbound_counter" ADD COLUMN "forwarded_today" integer NOT NULL DEFAULT 0',
    ],
  ];
}
