import { EntitySchema, type EntitySchemaOptions } from 'typeorm';

/** Creates the schema of a table without an entity. Its rows are read and written only with SQL. */
export function rowTable(
  name: string,
  tableName: string,
  options: Omit<EntitySchemaOptions<object>, 'name' | 'columns'> & { columns: object },
): EntitySchema<object> {
  return new EntitySchema<object>({ ...options, name, tableName });
}
