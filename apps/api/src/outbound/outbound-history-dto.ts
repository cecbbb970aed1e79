import { Enum } from '../http/fields.js';
import { RankedQuery } from './outbound-dto.js';

export class HistoryQuery extends RankedQuery {
  @Enum(['true'], {
    optional: true,
    description: '`true`: the periods of the last deleted domain of the name (master and read)',
  })
  deleted?: 'true';
}
