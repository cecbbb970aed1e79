import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/** Adds the service's own id of the request to the audit rows. Older rows, and rows written by jobs, have none. */
export function auditRequestUid(dialect: DialectName): Statement[] {
  return [
    [
      'AddAuditLogRequestUid',
      dialect === 'mysql'
        ? 'ALTER TABLE `audit_log` ADD `request_uid` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NULL'
        : 'ALTER TABLE "audit_log" ADD COLUMN "request_uid" varchar(36)',
    ],
  ];
}
