import type { EntitySchemaColumnOptions } from 'typeorm';

/**
 * The columns of an entity's schema. A property without a column and a column without a property do not compile.
 *
 * @typeParam Derived getters, and properties that are not columns of the table
 */
export type ColumnsOf<Entity, Derived extends keyof Entity = never> = {
  [Property in Exclude<keyof Entity, Derived> as Entity[Property] extends (...values: never[]) => unknown
    ? never
    : Property]: EntitySchemaColumnOptions;
};
