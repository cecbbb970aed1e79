import { connect } from 'node:net';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';
import { ChildServices, namesOf } from '../testing/child-services.js';

const services = new ChildServices();
let environment: Record<string, string>;
let service: ChildService | undefined;

beforeAll(async () => {
  environment = await services.environment('sqlite');
});
afterAll(() => services.end());

/** Returns the process that runs, or a new one after a test that ended it. */
async function running(): Promise<ChildService> {
  if (service?.isRunning !== true) service = await services.start(environment);
  return service;
}

describe('the process', () => {
  it('prints all wrong settings at once and exits with 1', async () => {
    const refused = await ChildService.spawn('api', { PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://x' });
    expect(await refused.exit()).toBe(1);
    for (const variable of ['PORT', 'LOG_LEVEL', 'DATABASE_URL']) expect(refused.output).toContain(variable);
    expect(refused.output).not.toContain(CHILD_MASTER);
  });

  it('prints into a pipe no link with which somebody enters the portal', async () => {
    const service = await running();
    await service.said('The master token is');
    expect(service.output).toContain('/portal/\n');
    expect(service.output).not.toContain('code=');
  });

  it('publishes the metrics of its process and of Node.js, none with the name of another type', async () => {
    const service = await running();
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
    const service = await running();
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

  it('finishes running requests at SIGTERM and exits with 0', async () => {
    const service = await running();
    const answers = Array.from({ length: 40 }, (_, index) =>
      service.call('POST', '/domains/', { name: `term-${index}.example` }).catch(() => null),
    );
    await service.until(async () => Array.isArray((await service.call('GET', '/domains/')).body));
    service.process.kill('SIGTERM');
    service.process.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
    const made = (await Promise.all(answers)).filter((answer) => answer?.status === 201).length;
    expect(await namesOf(await running())).toHaveLength(made);
  });

  it('stops its jobs and exits with 0 at SIGTERM although a client does not read its response', async () => {
    const service = await running();
    const port = Number(new URL(service.url).port);
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    silent.pause();
    // Many responses to one connection fill its buffers.
    const REQUESTS = 30;
    const request = `GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n`;
    silent.write(request.repeat(REQUESTS));
    // A request of the connection begins when the response before it has left the process.
    const begun = () => service.output.split('"/openapi.json"').length - 1;
    await service.until(async () => {
      const before = begun();
      for (let call = 0; call < 20; call += 1) await service.call('GET', '/health');
      return before > 1 && begun() === before;
    });
    expect(begun()).toBeLessThan(REQUESTS);
    service.process.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
    expect(service.output).not.toContain('stopping was not clean');
    silent.destroy();
  });
});
