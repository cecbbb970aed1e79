import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * Adds to a sender's row of its own domain what it sent through other domains. Rows of the present day start at 0. A
 * running process of the former release leaves the column unchanged.
 */
export function outboundSentElsewhere(dialect: DialectName): Statement[] {
  return [
    [
      'AddOutboundSenderSentElsewhere',
      dialect === 'mysql'
        ? 'ALTER TABLE `outbound_sender` ADD COLUMN `sent_elsewhere` int NOT NULL DEFAULT 0'
        : 'ALTER TABLE "outbound_sender" ADD COLUMN "sent_elsewhere" integer NOT NULL DEFAULT (0)',
    ],
  ];
}
