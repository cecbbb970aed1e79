import { Enum, Integer, Time } from '../http/fields.js';
import { RankedQuery } from './outbound-dto.js';

export class HistoryQuery extends RankedQuery {
  @Enum(['true'], {
    optional: true,
    description: '`true`: the periods of the last deleted domain of the name (master and read)',
  })
  deleted?: 'true';
}

export class HistoryResponse {
  @Integer({ description: 'The id', example: 1 }) id!: number;
  @Time({ description: 'When counting began' }) period_start!: string;
  @Time({ description: 'When the counters were frozen' }) period_end!: string;
  @Integer({ description: 'Outside recipients of messages sent in the period', example: 340 })
  sent!: number;
  @Integer({ description: 'Bytes sent in the period', example: 7340032 }) bytes!: number;
  @Integer({ description: 'Permanent bounces in the period', example: 1 }) bounces!: number;
  @Integer({ description: 'Complaints in the period', example: 0 }) complaints!: number;
}
