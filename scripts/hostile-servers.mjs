// @ts-check
import { randomBytes } from 'node:crypto';
import { startServices } from './services.mjs';
import { PATIENCE_MS } from './test-timeout.mjs';

/** Whatever a server may be set to that changes what statements mean, may do, or leave behind. */
const OPTIONS = [
  '--sql-mode=ORACLE,EMPTY_STRING_IS_NULL,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,NO_AUTO_VALUE_ON_ZERO,HIGH_NOT_PRECEDENCE,ONLY_FULL_GROUP_BY',
  '--init-connect=SET NAMES utf8, sql_safe_updates = 1, autocommit = 0',
  '--character-set-server=utf8mb3',
  '--collation-server=utf8mb3_general_ci',
  '--skip-character-set-client-handshake',
  '--autocommit=0',
  '--completion-type=RELEASE',
  '--transaction-isolation=SERIALIZABLE',
  '--max-join-size=1',
  '--group-concat-max-len=4',
  '--max-sort-length=64',
  '--div-precision-increment=0',
  '--max-statement-time=1',
  '--max-recursive-iterations=1',
  '--innodb-lock-wait-timeout=0',
  '--lock-wait-timeout=0',
  '--idle-readonly-transaction-timeout=1',
  '--idle-write-transaction-timeout=1',
  '--default-storage-engine=MyISAM',
  '--lc-time-names=de_DE',
  '--auto-increment-increment=3',
  '--auto-increment-offset=2',
];

/** With these as options the server would not create its own user. */
const GLOBALS = {
  tx_read_only: 1,
  sql_safe_updates: 1,
  sql_select_limit: 1,
  sql_auto_is_null: 1,
  foreign_key_checks: 0,
  unique_checks: 0,
  check_constraint_checks: 0,
};

/** Of a machine with summer time, which is the default zone of a server. */
const ZONE = { mariadbOptions: ['--default-time-zone=SYSTEM'], mariadbEnv: { TZ: 'Europe/Berlin' } };

/** @typedef {'settings' | 'zone'} HostileKind */

/**
 * Starts a private MariaDB that is set to what no statement may depend on. The user of its URL may do everything in
 * databases named `ms_…`; it has no SUPER, so `init_connect` runs for it.
 * @param {HostileKind} kind
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startHostileServer(kind = 'settings') {
  const hasSettings = kind === 'settings';
  const services = await startServices({ mariadb: true, ...(hasSettings ? { mariadbOptions: OPTIONS } : ZONE) });
  const url = new URL(services.mariadbUrl);
  url.username = 'hostile';
  url.password = randomBytes(16).toString('hex');
  try {
    const { createConnection } = await import('mysql2/promise');
    const admin = await createConnection({ uri: services.mariadbUrl, connectTimeout: PATIENCE_MS });
    await admin.query("SET sql_mode = '', autocommit = 1, completion_type = 0, lock_wait_timeout = 10");
    await admin.query(`CREATE USER hostile@'%' IDENTIFIED BY '${url.password}'`);
    await admin.query("GRANT ALL ON `ms\\_%`.* TO hostile@'%'");
    for (const [name, value] of Object.entries(hasSettings ? GLOBALS : {}))
      await admin.query(`SET GLOBAL ${name} = ${value}`);
    await admin.end();
  } catch (error) {
    await services.stop();
    throw error;
  }
  return { url: url.toString(), stop: services.stop };
}
