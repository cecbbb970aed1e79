import type { Database, Row } from '../driver/database.js';
import { type MysqlConnection, query, takeConnection } from '../driver/mysql-driver.js';

interface Column {
  type: string;
  required: boolean;
}

/** What an INSERT or UPDATE of a process meets, by table. */
export interface TableRules {
  columns: Map<string, Column>;
  /** The columns of each unique index, and of each foreign key. */
  limits: Set<string>;
  /** The tables whose rows cannot be deleted while a row of this one refers to them. */
  keeps: Set<string>;
}

const MYSQL_COLUMNS = `
  SELECT c.table_name AS of, c.column_name AS name, CONCAT_WS(' ', c.column_type, c.character_set_name) AS type,
         c.is_nullable = 'NO' AND c.column_default IS NULL AND c.extra NOT LIKE '%auto_increment%' AS required
    FROM information_schema.columns c JOIN information_schema.tables t
      ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
   WHERE c.table_schema = DATABASE()`;
const MYSQL_LIMITS = `
  SELECT table_name AS of, CONCAT(constraint_name = 'PRIMARY', referenced_table_name IS NOT NULL, GROUP_CONCAT(column_name ORDER BY ordinal_position)) AS columns_of
    FROM information_schema.key_column_usage WHERE table_schema = DATABASE() GROUP BY table_name, constraint_name, referenced_table_name`;
const MYSQL_KEEPS = `
  SELECT table_name AS of, referenced_table_name AS kept
    FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE() AND delete_rule IN ('NO ACTION', 'RESTRICT')`;
const SQLITE_COLUMNS = `
  SELECT m.name AS "of", i.name AS name, i.type AS type, i."notnull" = 1 AND i.dflt_value IS NULL AND i.pk = 0 AS required
    FROM sqlite_master m JOIN pragma_table_info(m.name) i WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'`;
const SQLITE_LIMITS = `
  SELECT m.name AS "of", (SELECT group_concat(c.name) FROM pragma_index_info(i.name) c) AS columns_of
    FROM sqlite_master m JOIN pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique" = 1
   UNION ALL
  SELECT m.name, 'key ' || k."from" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) k WHERE m.type = 'table'`;

const SQLITE_KEEPS = `
  SELECT m.name AS "of", k."table" AS kept
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) k WHERE m.type = 'table' AND k.on_delete IN ('NO ACTION', 'RESTRICT')`;

export async function tablesOf(database: Database): Promise<Map<string, TableRules>> {
  const isMysql = database.dialect.name === 'mysql';
  const tables = new Map<string, TableRules>();
  const at = ({ of }: Row) => {
    const none = { columns: new Map<string, Column>(), limits: new Set<string>(), keeps: new Set<string>() };
    const rules = tables.get(String(of)) ?? none;
    tables.set(String(of), rules);
    return rules;
  };
  for (const row of await database.read(isMysql ? MYSQL_COLUMNS : SQLITE_COLUMNS)) {
    at(row).columns.set(String(row.name), { type: String(row.type), required: Number(row.required) === 1 });
  }
  for (const row of await database.read(isMysql ? MYSQL_LIMITS : SQLITE_LIMITS))
    at(row).limits.add(String(row.columns_of));
  for (const row of await database.read(isMysql ? MYSQL_KEEPS : SQLITE_KEEPS)) at(row).keeps.add(String(row.kept));
  return tables;
}

/**
 * Compares what the writes of a former release met with what they meet now.
 *
 * @param statements of the former release
 * @returns what would refuse or lose a write of it
 */
export function refusedChanges(
  former: ReadonlyMap<string, TableRules>,
  now: ReadonlyMap<string, TableRules>,
  statements: readonly string[],
): string[] {
  const isUsed = (...names: string[]) =>
    statements.some((sql) => names.every((name) => new RegExp(`\\b${name}\\b`).test(sql)));
  const kept = [...now].flatMap(([table, { keeps }]) =>
    [...keeps]
      .filter((name) => former.has(name) && former.get(table)?.keeps.has(name) !== true)
      .map((name) => `a row of ${table} refuses the deletion of one of ${name}`),
  );
  const changed = [...former].flatMap(([table, before]) => {
    const after = now.get(table);
    if (after === undefined) return isUsed(table) ? [`the table ${table} is gone, and the former release uses it`] : [];
    const gone = [...before.columns.keys()].filter((name) => !after.columns.has(name) && isUsed(table, name));
    const faults = [...after.columns].flatMap(([name, column]) => columnFaults(before.columns.get(name), column, name));
    const limits = [...after.limits].filter((limit) => !before.limits.has(limit));
    return [
      ...gone.map((name) => `the column ${table}.${name} is gone, and the former release uses it`),
      ...faults.map((fault) => `${table}.${fault}`),
      ...limits.map((limit) => `${table} has a new unique index or foreign key: ${limit}`),
    ];
  });
  return [...changed, ...kept];
}

function columnFaults(before: Column | undefined, after: Column, name: string): string[] {
  if (before === undefined) return after.required ? [`${name} is new and has no default`] : [];
  return [
    ...(after.required && !before.required ? [`${name} must have a value now`] : []),
    ...(isNarrower(before.type, after.type) ? [`${name} was ${before.type} and is ${after.type}`] : []),
  ];
}

/** Another type counts as narrower, except for a longer text, and one of more characters. */
function isNarrower(before: string, after: string): boolean {
  const [left, right] = [before, after].map((type) => /^(\w+)(?:\((\d+)\))?(.*)$/.exec(type));
  const isLimited = left?.[3] !== right?.[3] && !(left?.[3] === ' ascii' && right?.[3] === ' utf8mb4');
  return left?.[1] !== right?.[1] || Number(right?.[2] ?? 0) < Number(left?.[2] ?? 0) || isLimited;
}

/** @returns the statements that the database cannot prepare: they name what is not there */
export async function unpreparable(database: Database, statements: readonly string[]): Promise<string[]> {
  const prepare = database.dialect.name === 'mysql' ? await mysqlPreparer(database) : sqlitePreparer(database);
  const faults: string[] = [];
  for (const sql of statements) {
    const reason = await prepare.try(sql);
    if (reason !== null) faults.push(`${sql}: ${reason}`);
  }
  prepare.end();
  return faults;
}

interface Preparer {
  try(sql: string): Promise<string | null>;
  end(): void;
}

async function mysqlPreparer(database: Database): Promise<Preparer> {
  const connection: MysqlConnection = await takeConnection(database.writer);
  return {
    try: (sql) =>
      query(connection, 'PREPARE s FROM ?', [sql]).then(
        () => null,
        (error: unknown) => String(error),
      ),
    end: () => connection.release(),
  };
}

function sqlitePreparer(database: Database): Preparer {
  const { databaseConnection } = database.writer.driver as unknown as {
    databaseConnection: { prepare(sql: string): unknown };
  };
  return {
    try: async (sql) => {
      try {
        databaseConnection.prepare(sql);
        return null;
      } catch (error) {
        return String(error);
      }
    },
    end: () => undefined,
  };
}
