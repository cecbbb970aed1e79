import type { Database, Row } from '../driver/database.js';

/** What a database consists of, as text that is equal for equal databases. */
export interface DescribedSchema {
  /** The statement that creates each table, index and view, in the order of their names. */
  objects: Map<string, string>;
  /** The rows of each table that has rows, with the recorded steps. */
  rows: Map<string, Row[]>;
}

export async function describeSchema(database: Database): Promise<DescribedSchema> {
  const objects = database.dialect.name === 'mysql' ? await mysqlObjects(database) : await sqliteObjects(database);
  const rows = new Map<string, Row[]>();
  for (const [name, sql] of objects) {
    if (!sql.startsWith('CREATE TABLE')) continue;
    const found = await database.read(`SELECT * FROM ${name} ORDER BY 1`);
    if (found.length > 0) rows.set(name, found);
  }
  return { objects, rows };
}

async function sqliteObjects(database: Database): Promise<Map<string, string>> {
  const found = await database.read<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY tbl_name, type DESC, name",
  );
  return new Map(found.map(({ name, sql }) => [name, lines(sql)]));
}

/** Without what is chosen by the server or grows with the rows. */
async function mysqlObjects(database: Database): Promise<Map<string, string>> {
  const found = await database.read<{ name: string; type: string; base: string }>(
    'SELECT table_name AS name, table_type AS type, DATABASE() AS base FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_type, table_name',
  );
  const objects = new Map<string, string>();
  for (const { name, type, base } of found) {
    const [shown = {}] = await database.read(`SHOW CREATE ${type === 'VIEW' ? 'VIEW' : 'TABLE'} ${name}`);
    const sql = String(shown[type === 'VIEW' ? 'Create View' : 'Create Table']);
    objects.set(
      name,
      sql
        .replaceAll(`\`${base}\`.`, '')
        .replace(/ AUTO_INCREMENT=\d+/, '')
        .replace(/ DEFAULT CHARSET=.*$/m, ''),
    );
  }
  return objects;
}

/** One line for each column and key of a table of SQLite. */
function lines(sql: string): string {
  if (!sql.startsWith('CREATE TABLE')) return sql;
  let depth = 0;
  const parts = sql.replaceAll(/\s+/g, ' ').split(/([(),])/);
  const broken = parts.map((part) => {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (part === ')' && depth === 0) return '\n)';
    return depth === 1 && (part === '(' || part === ',') ? `${part}\n` : part;
  });
  return broken
    .join('')
    .replaceAll(/\n *(?!\))/g, '\n  ')
    .replaceAll(' \n', '\n');
}
