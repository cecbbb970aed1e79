import { openTestDatabase } from '../testing/database-fixture.js';
import { refuseUnfitServer, settingProblems } from './server-settings.js';

const MIB = 2 ** 20;

describe('the settings of a database server', () => {
  it.each([
    [{ log_bin: 'ON', binlog_format: 'STATEMENT' }, 'set binlog_format=ROW'],
    [{ lower_case_table_names: '2' }, 'set it to 0 or 1'],
    [{ max_allowed_packet: String(MIB - 1) }, 'set max_allowed_packet=16M'],
  ])('%j are refused', (settings, text) => {
    const { refused, warned } = settingProblems(settings);
    expect(refused).toEqual([expect.stringContaining(text)]);
    expect(warned).toEqual([]);
  });

  it.each([
    [{ max_allowed_packet: String(MIB) }, 'set max_allowed_packet=16M'],
    [{ max_allowed_packet: String(16 * MIB - 1) }, 'set max_allowed_packet=16M'],
    [{ innodb_default_row_format: 'compact' }, 'set it to dynamic'],
    [{ alter_algorithm: 'INSTANT' }, 'set it to DEFAULT'],
    [{ sql_select_limit: '1' }, 'no backup can be made'],
    [{ max_join_size: '4294967295' }, 'no backup can be made, and the mail servers may get errors'],
  ])('%j are a warning', (settings, text) => {
    const { refused, warned } = settingProblems(settings);
    expect(warned).toEqual([expect.stringContaining(text)]);
    expect(refused).toEqual([]);
  });

  it.each([
    {},
    { log_bin: 'OFF', binlog_format: 'STATEMENT' },
    { log_bin: 'ON', binlog_format: 'MIXED' },
    { lower_case_table_names: '1' },
    { innodb_default_row_format: 'dynamic', alter_algorithm: 'DEFAULT' },
    {
      max_allowed_packet: String(16 * MIB),
      max_join_size: '18446744073709551615',
      sql_select_limit: '18446744073709551615',
    },
  ])('%j are right', (settings) => {
    expect(settingProblems(settings)).toEqual({ refused: [], warned: [] });
  });

  it('are read from the server', async () => {
    for (const kind of ['sqlite', 'mariadb'] as const) {
      const opened = await openTestDatabase(kind);
      expect(await refuseUnfitServer(opened.database)).toEqual([]);
      await opened.close();
    }
  });
});
