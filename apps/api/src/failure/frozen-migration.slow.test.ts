import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { type RunningMariadb, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { ChildService } from '../testing/child-service.js';

describe('an API that is frozen while it migrates a server that others start on', () => {
  let services: RunningMariadb & Stoppable;
  let database: Connection;
  let apis: ChildService[];

  beforeEach(async () => {
    apis = [];
    services = await startServices({ mariadb: true });
    database = await createConnection(services.mariadbUrl);
  });
  afterEach(async () => {
    await Promise.all(apis.map((api) => api.end('SIGKILL')));
    await database.end();
    await services.stop();
  });

  const spawn = async () => {
    const api = await ChildService.spawn('api', { DATABASE_URL: services.mariadbUrl });
    apis.push(api);
    return api;
  };
  const counted = async (query: string) => {
    const [[row]] = await database.query<RowDataPacket[]>(query);
    return Number(row?.count);
  };
  const TABLES = 'SELECT COUNT(*) AS count FROM information_schema.tables WHERE table_schema = DATABASE()';
  const serves = (api: ChildService) => api.until(async () => (await api.call('GET', '/partners/')).status === 200);

  it('does not keep the next one from its start, waits for it when it runs again, and migrates nothing twice', async () => {
    const frozen = await spawn();
    await frozen.pauseWhen('the first tables', async () => (await counted(TABLES)) > 5);
    await serves(await spawn());
    const steps = await counted('SELECT COUNT(*) AS count FROM migration');
    frozen.process.kill('SIGCONT');
    await serves(frozen);
    expect(await counted('SELECT COUNT(*) AS count FROM migration')).toBe(steps);
    expect(await counted('SELECT COUNT(DISTINCT name) AS count FROM migration')).toBe(steps);
  });
});
