import type { BackupCounts } from '../../recovery/manifest.js';
import type { Database } from '../driver/database.js';
import { readInstallationId } from '../installation/installation.js';

/** What the manifest says of the database. */
export interface BackupFacts {
  schema: number;
  databaseVersion: string;
  installation: string;
  takenAt: Date;
  eventPosition: number;
  counts: BackupCounts;
}

const COUNTS: Record<keyof BackupCounts, string> = {
  partners: "SELECT COUNT(*) AS value FROM partner WHERE ref <> ''",
  api_keys: 'SELECT COUNT(*) AS value FROM api_key',
  domains: 'SELECT COUNT(*) AS value FROM domain',
  mailboxes: 'SELECT COUNT(*) AS value FROM mailbox',
  aliases: 'SELECT COUNT(*) AS value FROM alias',
};
const GAP_TABLE = 'CreateEventGap';

/** Without the time limit of the reads of the service: large tables take minutes to count. */
export async function readBackupFacts(database: Database): Promise<BackupFacts> {
  const { dialect, reader } = database;
  const value = async (sql: string) => (await reader.query<{ value: unknown }[]>(sql))[0]?.value;
  const steps = await readSteps(database);
  const hasGaps = steps.some((name) => name.startsWith(GAP_TABLE));
  const newestGiven = hasGaps
    ? 'COALESCE((SELECT g.after_position FROM event_gap g WHERE g.last_position = p.last_position), p.last_position)'
    : 'p.last_position';
  const counts: Partial<BackupCounts> = {};
  for (const [name, sql] of Object.entries(COUNTS)) counts[name as keyof BackupCounts] = Number(await value(sql));
  return {
    schema: schemaOf(steps),
    databaseVersion: String(
      await value(`SELECT ${dialect.name === 'mysql' ? 'VERSION()' : 'sqlite_version()'} AS value`),
    ),
    installation: await readInstallationId(database),
    counts: counts as BackupCounts,
    eventPosition: Number(await value(`SELECT ${newestGiven} AS value FROM event_position p WHERE p.id = 1`)),
    takenAt:
      dialect.serverTime === null ? new Date() : new Date(Number(await value(`SELECT ${dialect.serverTime} AS value`))),
  };
}

/** @returns the names of the recorded migrations. @throws Error for a database without a whole installation */
export async function readSteps({ reader }: Database): Promise<string[]> {
  const rows = (await reader.query('SELECT name FROM migration').catch(() => [])) as { name: string }[];
  const names = rows.map(({ name }) => name);
  if (names.length === 0 || names.some((name) => schemaOf([name]) === 0)) {
    throw new Error('The database has no whole installation of Mailstead; start the service once');
  }
  return names;
}

/** The 13 digits at the end of the name of the newest migration. */
function schemaOf(steps: readonly string[]): number {
  return Math.max(0, ...steps.map((name) => Number(/\d{13}$/.exec(name)?.[0] ?? 0)));
}
