import type { Database } from '../driver/database.js';

const NAMES = [
  'log_bin',
  'binlog_format',
  'lower_case_table_names',
  'max_allowed_packet',
  'max_join_size',
  'sql_select_limit',
  'innodb_default_row_format',
  'alter_algorithm',
] as const;
type Name = (typeof NAMES)[number];
type Settings = Partial<Record<Name, string>>;

const MB = 2 ** 20;
/** A statement with a list of rows has up to this many bytes. */
const SMALLEST_PACKET = MB;
/** The default of MariaDB. A request of the largest size may need it. */
const USUAL_PACKET = 16 * MB;
const NO_LIMIT = 2n ** 64n - 1n;

/** What cannot be set for a session, each in a sentence that says what to set. */
export interface SettingProblems {
  /** With which changes fail. */
  refused: string[];
  warned: string[];
}

/** @param settings the variables of the server; one that it does not have is right */
export function settingProblems(settings: Settings): SettingProblems {
  const refused: string[] = [];
  const warned: string[] = [];
  if (settings.log_bin === 'ON' && settings.binlog_format === 'STATEMENT') {
    refused.push('binlog_format is STATEMENT, with which every change fails: set binlog_format=ROW');
  }
  if (settings.lower_case_table_names === '2') {
    refused.push(
      'lower_case_table_names is 2, with which tables are not found: set it to 0 or 1 on another file system',
    );
  }
  const packet = Number(settings.max_allowed_packet ?? USUAL_PACKET);
  if (packet < SMALLEST_PACKET) {
    refused.push(`max_allowed_packet is ${packet} bytes, with which lists of rows fail: set max_allowed_packet=16M`);
  } else if (packet < USUAL_PACKET) {
    warned.push(`max_allowed_packet is ${packet} bytes; the largest requests may fail: set max_allowed_packet=16M`);
  }
  const rowFormat = settings.innodb_default_row_format ?? 'dynamic';
  if (rowFormat !== 'dynamic') {
    warned.push(
      `innodb_default_row_format is ${rowFormat}, with which tables of this or a later release cannot be created: set it to dynamic`,
    );
  }
  // Not set for the session: MariaDB 11.5 only warns of it, and a later one will not know it.
  const algorithm = settings.alter_algorithm ?? 'DEFAULT';
  if (algorithm !== 'DEFAULT') {
    warned.push(`alter_algorithm is ${algorithm}, with which the schema cannot be changed: set it to DEFAULT`);
  }
  const limits = (['max_join_size', 'sql_select_limit'] as const).filter((name) => isLimit(settings[name]));
  for (const name of limits) {
    const mail = name === 'max_join_size' ? ', and the mail servers may get errors, so that mail waits' : '';
    warned.push(
      `${name} is ${settings[name]}, with which no backup can be made${mail}: take it out of the configuration`,
    );
  }
  return { refused, warned };
}

function isLimit(value: string | undefined): boolean {
  return value !== undefined && BigInt(value) < NO_LIMIT;
}

/**
 * @returns what works, but not for everything
 * @throws Error when the service cannot work with the settings of the server
 */
export async function refuseUnfitServer({ dialect, writer }: Database): Promise<string[]> {
  if (dialect.name !== 'mysql') return [];
  const rows = (await writer.query('SHOW GLOBAL VARIABLES WHERE Variable_name IN (?)', [NAMES])) as {
    Variable_name: Name;
    Value: string;
  }[];
  const { refused, warned } = settingProblems(Object.fromEntries(rows.map((row) => [row.Variable_name, row.Value])));
  if (refused.length > 0) {
    throw new Error(
      `The database server cannot be used as it is set. ${refused.join('. ')}. Set it in the configuration of the server, and start both again.`,
    );
  }
  return warned;
}
