import { EntitySchema, type EntitySchemaOptions } from 'typeorm';

/** The schema of a table that has no entity: its rows are read and written by set-based SQL alone. */
export function rowTable(
  name: string,
  tableName: string,
  options: Omit<EntitySchemaOptions<object>, 'name' | 'columns'> & { columns: object },
): EntitySchema<object> {
  return new EntitySchema<object>({ ...options, name, tableName });
}
