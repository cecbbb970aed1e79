import { connect, type Socket } from 'node:net';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { freePort } from '../../../../scripts/free-port.mjs';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';
import { loggedSecretsSuite } from '../testing/logged-secrets-suite.js';
import { secretSettings, useSecrets, whatIsStored } from '../testing/stored-secrets.js';
import { linesWith, sendTraced, TRACE_ID } from '../testing/traced-creation.js';

onHttpDatabase((kind) => {
  const services = new ChildServices();
  let service: ChildService;
  let url: string | null;
  let dataDir: string;

  beforeAll(async () => {
    const environment = await services.environment(kind);
    url = environment.DATABASE_URL ?? null;
    dataDir = environment.DATA_DIR ?? '';
    service = await services.start({ ...environment, ...secretSettings(await freePort()) });
  });
  afterAll(() => services.end());

  describe('the process', () => {
    it('prints all wrong settings at once and exits with 1', async () => {
      const refused = await ChildService.spawn('api', { PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://x' });
      expect(await refused.exit()).toBe(1);
      for (const variable of ['PORT', 'LOG_LEVEL', 'DATABASE_URL']) expect(refused.output).toContain(variable);
      expect(refused.output).not.toContain(CHILD_MASTER);
    });

    it('prints into a pipe no link with which somebody enters the portal', async () => {
      await service.said('listening');
      if (kind === 'sqlite') {
        await service.said('The master token is');
        expect(service.output).toContain('/portal/\n');
      }
      expect(service.output).not.toContain('code=');
    });

    it('publishes the metrics of its process and of Node.js, none with the name of another type', async () => {
      const metrics = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${CHILD_MASTER}` } });
      const text = await metrics.text();
      expect(text).toMatch(/^process_cpu_seconds_total [\d.e-]+$/m);
      expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
      expect(text).toMatch(/^nodejs_eventloop_lag_seconds \S+$/m);
      expect(text).toMatch(/^mailstead_schedule_missed\{schedule="retention.purge"\} 0$/m);
      const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
      expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
      expect(new Set(types.map(({ name }) => name)).size).toBe(types.length);
    });

    it('never prints a token', async () => {
      const token = 'a-token-that-must-not-be-printed';
      await service.call('POST', '/api-keys/', { token, partner_ref: 'acme' });
      await service.call('GET', `/api-keys/${token}`);
      await service.call('POST', '/api-keys/', { token, partner_ref: 7 });
      // Its request is logged after those before it.
      await service.call('GET', '/plans');
      await service.said('"/plans"');
      expect(service.output).toContain('/api-keys/:token');
      expect(service.output).not.toContain(token);
      expect(service.output).not.toContain(CHILD_MASTER);
    });

    it('logs the trace of a request with its line and with the jobs that it adds, not with other ones', async () => {
      const traced = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, 'X-Request-Id': 'traced-creation' };
      const other = { 'X-Request-Id': 'other-creation' };
      for (const [index, headers] of [traced, other].entries()) {
        expect((await sendTraced(service, '/domains/', headers, { name: `traced-${index}.example` })).status).toBe(201);
        await service.until(async () => service.output.split('"job":"domain.verify"').length === index + 2);
      }
      for (const [id, trace] of [
        ['traced-creation', TRACE_ID],
        ['other-creation', undefined],
      ] as const) {
        await service.until(async () => (await linesWith(service, 'request_id', id)).length === 2);
        const lines = await linesWith(service, 'request_id', id);
        expect(new Map(lines.map(({ message, trace_id }) => [message, trace_id]))).toEqual(
          new Map([
            ['request', trace],
            ['job', trace],
          ]),
        );
      }
    });
  });

  describe('the log of a process that receives secrets', () => {
    loggedSecretsSuite(() => service);
  });

  describe('the process with secrets in its settings and requests', () => {
    let secrets: Record<string, string>;

    beforeAll(async () => {
      secrets = await useSecrets(service);
    });

    const foundIn = (text: string) => Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? ''));

    it('at SIGTERM finishes running requests, stops its jobs and exits with 0, although a client does not read its response', async () => {
      const silent = await silentClient(service);
      const answers = Array.from({ length: 40 }, (_, index) =>
        service.call('POST', '/domains/', { name: `term-${index}.example` }).catch(() => null),
      );
      await service.until(async () => Array.isArray((await service.call('GET', '/domains/')).body));
      service.process.kill('SIGTERM');
      service.process.kill('SIGTERM');
      expect(await service.exit()).toBe(0);
      expect(service.output).not.toContain('stopping was not clean');
      silent.destroy();
      const made = (await Promise.all(answers)).filter((answer) => answer?.status === 201).length;
      const database = await openDatabase({ url, dataDir, poolSize: 1 });
      expect(await database.read("SELECT COUNT(*) AS made FROM domain WHERE name LIKE 'term-%'")).toEqual([{ made }]);
      await database.close();
    });

    it('has stored none of the secrets that were used or set, in no table and no file', async () => {
      const stored = await whatIsStored(url, dataDir);
      expect(Object.entries(secrets).filter(([, secret]) => secret.length < 16)).toEqual([]);
      // What is not secret is found, so the search would find them.
      expect(stored).toContain('stored.example');
      expect(foundIn(stored)).toEqual([]);
    });

    it('has logged none of them, with LOG_LEVEL=debug', () => {
      expect(service.output).toContain('stored.example');
      expect(foundIn(service.output)).toEqual([]);
    });
  });
});

/** A client whose responses fill the buffers of its connection, so that the process waits until it reads them. */
async function silentClient(service: ChildService): Promise<Socket> {
  const silent = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  silent.pause();
  const REQUESTS = 30;
  silent.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(REQUESTS));
  // A request of the connection begins when the response before it has left the process.
  const begun = () => service.output.split('"/openapi.json"').length - 1;
  await service.until(async () => {
    const before = begun();
    for (let call = 0; call < 20; call += 1) await service.call('GET', '/health');
    return before > 1 && begun() === before;
  });
  expect(begun()).toBeLessThan(REQUESTS);
  return silent;
}
