import { openDatabase } from '../driver/open-database.js';
import { migrate } from '../migrations/migrate.js';
import { makeTestLocation, openTestDatabase } from './database-fixture.js';

describe('the copy of the schema that tests use', () => {
  it('has the tables, keys, views and rows that the migrations make, and no step is pending', async () => {
    const location = await makeTestLocation('mariadb');
    const migrated = await openDatabase({ ...location, poolSize: 2 });
    await migrate(migrated);
    const copied = await openTestDatabase('mariadb');
    const described = async (database: typeof migrated) =>
      Promise.all([
        database.read(
          'SELECT table_name AS name, table_type AS type, table_rows IS NULL AS is_view FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
        ),
        database.read(
          'SELECT table_name AS name, column_name AS part, ordinal_position AS place, column_type AS type, is_nullable AS nullable, column_default AS preset, collation_name AS collated FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position',
        ),
        database.read(
          'SELECT table_name AS name, index_name AS part, seq_in_index AS place, column_name AS field FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY table_name, index_name, seq_in_index',
        ),
        database.read(
          'SELECT table_name AS name, constraint_name AS part, delete_rule AS rule FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE() ORDER BY table_name, constraint_name',
        ),
        database.read(
          'SELECT table_name AS name, REPLACE(view_definition, DATABASE(), "") AS text FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY table_name',
        ),
        database.read('SELECT name FROM migration ORDER BY id'),
        database.read('SELECT tier, daily_limit FROM outbound_tier ORDER BY tier'),
      ]);
    expect(await described(copied.database)).toEqual(await described(migrated));
    expect(await migrate(copied.database)).toBe(0);
    await migrated.close();
    await location.remove();
    await copied.close();
  });
});
