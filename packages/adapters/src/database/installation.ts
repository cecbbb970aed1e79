import { randomUUID } from 'node:crypto';
import type { Database } from './driver/database.js';

/** The id of this installation, made once: it marks our identities in an SES account that others use too. */
export async function readInstallationId(database: Database): Promise<string> {
  const read = () => database.read<{ value: string }>("SELECT value FROM installation WHERE name = 'id'");
  const kept = (await read())[0];
  if (kept !== undefined) return kept.value;
  await database.write(`${database.dialect.insertOrIgnore('installation')} (name, value) VALUES ('id', ?)`, [
    randomUUID(),
  ]);
  return (await read())[0]?.value ?? '';
}

/** Writes down a setting that the views of the mail servers need to know, when it changed: a full disk stops no start. */
export async function publishSetting(
  database: Database,
  name: 'transfer_cap_scope' | 'allow_external_forward',
  value: string,
): Promise<void> {
  const kept = await database.read('SELECT value FROM installation WHERE name = ?', [name]);
  if (kept[0]?.value === value) return;
  const { dialect } = database;
  const clash = `${dialect.onConflict(['name'])} value = ${dialect.inserted('value')}`;
  await database.write(`INSERT INTO installation (name, value) VALUES (?, ?) ${clash}`, [name, value]);
}
