// @ts-check
import { randomBytes } from 'node:crypto';
import { Stop } from './main.mjs';
import { installPrograms, pathOf } from './needed-programs.mjs';
import { startServices } from './services.mjs';

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
  '--lc-messages=de_DE',
  '--in-predicate-conversion-threshold=2',
  '--innodb-rollback-on-timeout',
  '--lower-case-table-names=1',
  '--tmp-memory-table-size=1024',
  '--max-error-count=0',
  '--default-week-format=7',
  '--old-mode=NO_DUP_KEY_WARNINGS_WITH_IGNORE,ZERO_DATE_TIME_CAST',
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

/** The zone of a server is that of its machine by default. */
const ZONE = 'Europe/Berlin';
/** In this zone it is 02:30, for the first time. */
const FIRST_HALF_PAST_TWO = '2026-10-25T00:30:00Z';

/**
 * `settings`: a server that is set to what no statement may depend on. `zone`: one whose zone has summer time. `hour`:
 * the same in the hour of autumn that comes twice.
 * @typedef {'settings' | 'zone' | 'hour'} HostileKind
 */

/**
 * `environment` is that of the processes that use the server: they have its time.
 * @typedef {{ url: string, environment: Record<string, string>, stop: () => Promise<void> }} HostileServer
 */

/**
 * Starts a private MariaDB. The user of its URL may do everything in databases named `ms_…`, and create users; it
 * has no SUPER, so `init_connect` runs for it.
 * @param {HostileKind} kind
 * @returns {Promise<HostileServer>}
 */
export async function startHostileServer(kind) {
  const hasSettings = kind === 'settings';
  const environment = hasSettings ? {} : { TZ: ZONE, ...(kind === 'hour' ? await inRepeatedHour() : {}) };
  const mariadbOptions = hasSettings ? OPTIONS : ['--default-time-zone=SYSTEM'];
  const password = randomBytes(16).toString('hex');
  const services = await startServices({
    mariadb: true,
    mariadbOptions,
    mariadbEnv: environment,
    mariadbStatements: [
      `CREATE USER IF NOT EXISTS hostile@'%' IDENTIFIED BY '${password}'`,
      // Without a backslash, with which it could not grant rights on a single one of them.
      "GRANT ALL ON `ms_%`.* TO hostile@'%' WITH GRANT OPTION",
      "GRANT CREATE USER ON *.* TO hostile@'%'",
      ...Object.entries(hasSettings ? GLOBALS : {}).map(([name, value]) => `SET GLOBAL ${name} = ${value}`),
    ],
  });
  const url = new URL(services.mariadbUrl);
  url.username = 'hostile';
  url.password = password;
  return { url: url.toString(), environment, stop: services.stop };
}

/** The variables of libfaketime, which gives a process another time. Its timers stay right. */
async function inRepeatedHour() {
  const missing = await installPrograms('the repeated hour');
  if (missing !== null) throw new Stop(missing);
  const seconds = Math.round((Date.parse(FIRST_HALF_PAST_TWO) - Date.now()) / 1_000);
  return {
    LD_PRELOAD: pathOf('libfaketimeMT.so.1') ?? '',
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}
