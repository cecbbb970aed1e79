import { createConnection } from 'mysql2/promise';
import { startServices } from '../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
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

it.each([
  ['locks the account', "ALTER USER 'limited'@'%' ACCOUNT LOCK", /this account is locked/],
  ['takes the right on the database away', "REVOKE ALL ON mail.* FROM 'limited'@'%'", /Access denied for user/],
])(
  'the start on a MariaDB that %s ends, names DATABASE_URL and tells the sentence of the server',
  async (_, change, sentence) => {
    const services = await startServices({ mariadb: true });
    try {
      const admin = await createConnection({ uri: services.mariadbUrl, connectTimeout: PATIENCE_MS });
      await admin.query('CREATE DATABASE mail');
      await admin.query("CREATE USER 'limited'@'%' IDENTIFIED BY 'secret'");
      await admin.query("GRANT ALL ON mail.* TO 'limited'@'%'");
      await admin.query(change);
      await admin.end();
      const url = new URL(services.mariadbUrl);
      Object.assign(url, { username: 'limited', password: 'secret', pathname: '/mail' });
      const api = await ChildService.spawn('api', { DATABASE_URL: url.toString() });
      expect(await api.exit()).toBe(1);
      expect(api.output).toContain('DATABASE_URL');
      expect(api.output).toMatch(sentence);
      expect(api.output).not.toContain('secret');
    } finally {
      await services.stop();
    }
  },
);
