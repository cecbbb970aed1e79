import { createHash } from 'node:crypto';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import type { QueryRunner } from 'typeorm';
import { MYSQL } from '../driver/mysql-dialect.js';
import { openDatabase } from '../driver/open-database.js';
import { migrate } from '../migrations/migrate.js';
import { migrations } from '../migrations/migrations.js';

const LOCK = 'mailstead_test_template';
const LOCK_TIMEOUT_S = 120;

/**
 * Fills an empty MariaDB database with what the migrations make. The first call on a server runs them in a database
 * that stays there; later calls copy its tables, rows and views with one text of SQL, which takes a fraction of the
 * time.
 */
export async function copySchema(url: string, dataDir: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const connection = await createConnection({
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    multipleStatements: true,
  });
  try {
    const template = await templateName();
    await connection.query(`SET FOREIGN_KEY_CHECKS = 0; ${await scriptOf(connection, template, url, dataDir)}`);
  } finally {
    await connection.end();
  }
}

/** Another text of a migration makes another template, also on a server that stays between two runs. */
async function templateName(): Promise<string> {
  const hash = createHash('sha256');
  const runner = { query: async (sql: string) => void hash.update(sql) } as unknown as QueryRunner;
  for (const Migration of migrations(MYSQL)) await new Migration().up(runner);
  return `ms_template_${hash.digest('hex').slice(0, 12)}`;
}

async function scriptOf(connection: Connection, template: string, url: string, dataDir: string): Promise<string> {
  await rows(connection, `SELECT GET_LOCK('${LOCK}', ${LOCK_TIMEOUT_S}) AS taken`);
  try {
    if (!(await isThere(connection, template))) await make(connection, template, url, dataDir);
  } finally {
    await rows(connection, `SELECT RELEASE_LOCK('${LOCK}') AS released`);
  }
  const [found] = await rows(connection, `SELECT text FROM ${template}.copy_script`);
  return String(found?.text);
}

async function isThere(connection: Connection, template: string): Promise<boolean> {
  const found = await rows(
    connection,
    `SELECT 1 FROM information_schema.tables WHERE table_schema = '${template}' AND table_name = 'copy_script'`,
  );
  return found.length > 0;
}

async function make(connection: Connection, template: string, url: string, dataDir: string): Promise<void> {
  await connection.query(`DROP DATABASE IF EXISTS ${template}; CREATE DATABASE ${template}`);
  const location = new URL(url);
  location.pathname = `/${template}`;
  const database = await openDatabase({ url: location.toString(), dataDir, poolSize: 2 });
  await migrate(database);
  await database.close();
  const script = await copyingScript(connection, template);
  await connection.query(`CREATE TABLE ${template}.copy_script (text MEDIUMTEXT NOT NULL)`);
  await connection.query(`INSERT INTO ${template}.copy_script VALUES (?)`, [script]);
}

/** Tables first, then their rows, then the views, which read the tables. */
async function copyingScript(connection: Connection, template: string): Promise<string> {
  const names = await rows(
    connection,
    `SELECT table_name AS name, table_type AS type FROM information_schema.tables WHERE table_schema = '${template}'
      ORDER BY create_time, table_name`,
  );
  const tables: string[] = [];
  const filled: string[] = [];
  const views: string[] = [];
  for (const { name, type } of names) {
    if (type === 'VIEW') {
      const [view] = await rows(connection, `SHOW CREATE VIEW ${template}.${name}`);
      views.push(String(view?.['Create View']).replaceAll(`\`${template}\`.`, ''));
      continue;
    }
    const [table] = await rows(connection, `SHOW CREATE TABLE ${template}.${name}`);
    tables.push(String(table?.['Create Table']));
    const [content] = await rows(connection, `SELECT COUNT(*) AS total FROM ${template}.${name}`);
    if (Number(content?.total) > 0) filled.push(`INSERT INTO ${name} SELECT * FROM ${template}.${name}`);
  }
  return [...tables, ...filled, ...views].join(';\n');
}

async function rows(connection: Connection, sql: string): Promise<RowDataPacket[]> {
  const [found] = await connection.query<RowDataPacket[]>(sql);
  return found;
}
