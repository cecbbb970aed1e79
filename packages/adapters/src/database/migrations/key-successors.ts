import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/** Adds to keys the successor of their last rotation. A rotation by a process of the former release leaves it empty. */
export function keySuccessors(dialect: DialectName): Statement[] {
  return [
    [
      'AddApiKeySuccessorId',
      dialect === 'mysql'
        ? 'ALTER TABLE `api_key` ADD `successor_id` bigint NULL'
        : 'ALTER TABLE "api_key" ADD COLUMN "successor_id" integer',
    ],
  ];
}
