import { COMPARED, POSITION } from '@mailstead/adapters/database/derived/derived-comparison';
import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { SqlUnitOfWork } from '@mailstead/adapters/database/driver/sql-unit-of-work';
import { readInstallation, storeInstallation } from '@mailstead/adapters/database/installation/installation';
import { fillSparseDomains, ID_GAP, makeWrong, wrongRowsOf } from '@mailstead/adapters/database/testing/sparse-domains';
import { until } from '@mailstead/core/testing/until';
import type { ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';

/** Four slices. */
const DOMAINS = 1_700;
const [OF_FIRST_SLICE, OF_SECOND_SLICE, OF_FOURTH_SLICE] = [10 * ID_GAP, 700 * ID_GAP, 1_600 * ID_GAP];

describe('the start of an API with many domains', () => {
  const services = new ChildServices();
  let environment: Record<string, string>;
  let database: Database;

  beforeAll(async () => {
    environment = await services.environment('mariadb');
    const first = await services.start(environment);
    expect((await first.call('GET', '/health/ready')).status).toBe(200);
    await first.end('SIGTERM');
    database = await openDatabase({ url: environment.DATABASE_URL ?? '', dataDir: '', poolSize: 3 });
    await fillSparseDomains(database, DOMAINS);
  });
  afterAll(async () => {
    await database.close();
    await services.end();
  });

  const isReady = async (service: ChildService) => (await service.readyAnew()) === 200;
  const derivedCheck = async (service: ChildService) => {
    const { status, body } = await service.call('GET', '/health/ready');
    const checks = body.checks as { name: string; status: string }[];
    return { status, wrong: checks.flatMap(({ name, status: each }) => (each === 'ok' ? [] : [name])) };
  };
  /** Starts an API, which cannot correct the row of this domain, while `work` runs. */
  const heldAt = (id: number, work: (service: ChildService) => Promise<void>) =>
    new SqlUnitOfWork(database).run(async () => {
      await database.read('SELECT id FROM domain WHERE id = ? FOR UPDATE', [id]);
      await work(await services.start(environment));
    });

  it('after an update answers and is not ready, and the next one goes on after SIGKILL and becomes ready', async () => {
    const other = await openDatabase({ url: environment.DATABASE_URL ?? '', dataDir: '', poolSize: 3 });
    const hash = await readInstallation(database, COMPARED);
    await storeInstallation(database, COMPARED, 'of the former release');
    await heldAt(OF_SECOND_SLICE, async (service) => {
      await until('the second slice', async () => (await readInstallation(other, POSITION)) !== null);
      expect((await service.call('GET', '/health')).status).toBe(200);
      expect(await derivedCheck(service)).toEqual({ status: 503, wrong: ['derived_rows'] });
      await service.end('SIGKILL');
    });
    await other.close();
    // The next one does not begin anew, so it does not see this row.
    await makeWrong(database, OF_FIRST_SLICE);
    const next = await services.start(environment);
    expect((await derivedCheck(next)).status).toBe(503);
    await until('readiness', () => isReady(next));
    expect(await wrongRowsOf(database)).toEqual([OF_FIRST_SLICE]);
    expect(await readInstallation(database, COMPARED)).toBe(hash);
    await next.end('SIGTERM');
  });

  it('without an update is ready at once, corrects behind the open port, and says what', async () => {
    await makeWrong(database, OF_FOURTH_SLICE);
    const service = await services.start(environment);
    expect((await service.call('GET', '/health/ready')).status).toBe(200);
    await service.said('"the derived rows are compared"');
    expect(await wrongRowsOf(database)).toEqual([]);
    expect(service.output).toMatch(/"message":"copies corrected".*/);
    expect(service.output).toContain(`[${OF_FIRST_SLICE}]`);
    expect(service.output).toContain(`[${OF_FOURTH_SLICE}]`);
  });

  it('stops in the middle of a comparison', async () => {
    await makeWrong(database, OF_SECOND_SLICE);
    const other = await openDatabase({ url: environment.DATABASE_URL ?? '', dataDir: '', poolSize: 3 });
    let stopped: Promise<unknown> = Promise.resolve();
    await heldAt(OF_SECOND_SLICE, async (service) => {
      await until('the second slice', async () => (await readInstallation(other, POSITION)) !== null);
      stopped = service.end('SIGTERM');
      await service.said('stopping');
    });
    await other.close();
    expect(await stopped).toBe(0);
  });
});
