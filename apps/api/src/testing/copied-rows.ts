import type { Database, Parameter } from '@mailstead/adapters/database/driver/database';

/** Adds copies of a row by SQL, with ids of their own. @param unique the column whose texts must differ */
export async function copyRow(
  database: Database,
  { table, id, unique }: { table: string; id: number; unique: string },
  count: number,
): Promise<number[]> {
  if (count === 0) return [];
  const [row] = await database.read<Record<string, Parameter>>(`SELECT * FROM ${table} WHERE id = ?`, [id]);
  if (row === undefined) throw new Error(`There is no row ${id} of ${table}`);
  const columns = Object.keys(row).filter((column) => column !== 'id');
  const copies = Array.from({ length: count }, (_, index) =>
    columns.map((column) => {
      const value = row[column] ?? null;
      const digits = `-${index}`;
      return column === unique ? String(value).slice(0, -digits.length) + digits : value;
    }),
  );
  const values = copies.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
  await database.write(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`, copies.flat());
  const ids = await database.read(`SELECT id FROM ${table} WHERE id > ? ORDER BY id DESC LIMIT ${count}`, [id]);
  return ids.map((each) => Number(each.id));
}
