import { MYSQL_TIME } from '../driver/mysql-dialect.js';
import { mysqlMtaDomain } from './mta-domain.js';
import type { Statement } from './step.js';

const FORMER_TIME = 'UNIX_TIMESTAMP(NOW(3)) * 1000';

/**
 * The views with a time, made anew. They run in the sessions of Postfix and Dovecot, so in the zone of the server.
 * There the former expression was an hour ahead, in the first of the two hours that have one name in autumn.
 */
export const mysqlViewsTime: Statement[] = mysqlMtaDomain
  .filter(([, sql]) => sql.includes(FORMER_TIME))
  .map(([name, sql]) => [`${name}InUtc`, sql.replaceAll(FORMER_TIME, MYSQL_TIME)]);
