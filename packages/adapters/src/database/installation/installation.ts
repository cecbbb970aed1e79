import { randomUUID } from 'node:crypto';
import { EntitySchema } from 'typeorm';
import type { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';

/** A named value of the installation, such as the id in its tags at the relay provider. */
export class InstallationRow {
  name!: string;
  value!: string;
}

export function installationSchema(dialect: Dialect): EntitySchema<InstallationRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<InstallationRow>({
    name: 'InstallationRow',
    target: InstallationRow,
    tableName: 'installation',
    columns: { name: columns.exact(64, { primary: true }), value: columns.text(500) },
  });
}

export async function readInstallation({ manager }: Database, name: string): Promise<string | null> {
  return (await manager.findOneBy(InstallationRow, { name }))?.value ?? null;
}

/**
 * Returns the id of this installation, and generates it at the first call. It marks the installation's identities in
 * SES.
 */
export async function readInstallationId(database: Database): Promise<string> {
  const kept = await readInstallation(database, 'id');
  if (kept !== null) return kept;
  const row = { name: 'id', value: randomUUID() };
  await database.manager.createQueryBuilder().insert().into(InstallationRow).values(row).orIgnore().execute();
  return (await readInstallation(database, 'id')) ?? '';
}

/**
 * Stores a setting that the views of the mail servers read. Writes only a changed value, so that a process can start
 * while the disk is full.
 */
export async function publishSetting(
  database: Database,
  name: 'transfer_cap_scope' | 'allow_external_forward',
  value: string,
): Promise<void> {
  if ((await readInstallation(database, name)) !== value) await storeInstallation(database, name, value);
}

export async function storeInstallation({ manager }: Database, name: string, value: string): Promise<void> {
  const insert = manager.createQueryBuilder().insert().into(InstallationRow).values({ name, value });
  await insert.orUpdate(['value'], ['name']).execute();
}
