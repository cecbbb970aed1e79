import { startServices } from '../../../../scripts/services.mjs';
import { ChildService } from '../testing/child-service.js';

it('the start on a MariaDB with a binary log of statements ends with a sentence that says what to set', async () => {
  const services = await startServices({
    mariadb: true,
    mariadbOptions: ['--log-bin=binlog', '--server-id=1', '--binlog-format=STATEMENT'],
  });
  try {
    const start = ChildService.start({ DATABASE_URL: services.mariadbUrl });
    await expect(start).rejects.toThrow(
      'binlog_format is STATEMENT, with which every change fails: set binlog_format=ROW',
    );
  } finally {
    await services.stop();
  }
});
