import { connect } from 'node:net';
import { ShutdownCheck } from '@mailstead/core/health-check';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

function signal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

describe('a process that stops', () => {
  let api: TestApi;
  let running: Response;

  /** Unlike supertest, fetch asks to keep the connection. */
  const ask = (method: string, path: string, body?: object, token = MASTER) =>
    fetch(`${api.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const checksOf = async (response: Response) => ((await response.json()) as { checks: object[] }).checks;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    for (const name of ['a.example', 'b.example']) await api.as(MASTER).post('/domains/', { name }).expect(201);
    const before = await ask('GET', '/health/ready');
    expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);
    expect(await checksOf(before)).toContainEqual({ name: 'shutdown', status: 'ok', detail: null });
    // A request that runs when the process begins to stop.
    const [entered, gate] = [signal(), signal()];
    const unitOfWork = api.container.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    unitOfWork.run = async (work) => {
      entered.give();
      await gate.given;
      return run(work);
    };
    const response = ask('POST', '/domains/', { name: 'running.example' });
    await entered.given;
    api.container.get(ShutdownCheck).begin();
    gate.give();
    running = await response;
    unitOfWork.run = run;
  });
  afterAll(() => api.close());

  it('finishes a request that runs, and closes its connection', () => {
    expect([running.status, running.headers.get('connection')]).toEqual([201, 'close']);
  });

  it('is not ready at once, says when to come again, and is alive', async () => {
    const ready = await ask('GET', '/health/ready');
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    expect(ready.headers.get('retry-after')).toMatch(/^\d+$/);
    const failed = { name: 'shutdown', status: 'unavailable', detail: 'The process is stopping' };
    expect(await checksOf(ready)).toContainEqual(failed);
    expect((await ask('GET', '/health')).status).toBe(200);
  });

  it('still serves, and closes the connection after every response', async () => {
    const requests: [string, string, number, object?, string?][] = [
      ['GET', '/health', 200],
      ['GET', '/domains/', 200],
      ['GET', '/domains/?limit=1', 200],
      ['POST', '/domains/', 201, { name: 'c.example' }],
      ['DELETE', '/domains/a.example', 204],
      ['GET', '/domains/absent.example', 404],
      ['GET', '/nowhere', 404],
      ['PATCH', '/domains/', 405],
      ['POST', '/domains/', 422, {}],
      ['GET', '/metrics', 200],
      ['GET', '/docs', 200],
      ['GET', '/domains/', 401, undefined, 'wrong'],
    ];
    for (const [method, path, status, body, token] of requests) {
      const response = await ask(method, path, body, token);
      expect([method, path, response.status, response.headers.get('connection')]).toEqual([
        method,
        path,
        status,
        'close',
      ]);
    }
  });

  it('closes the connection also when the caller wants to keep it', async () => {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      let got = '';
      socket.on('data', (chunk: Buffer) => {
        got += chunk.toString();
      });
      socket.on('close', () => resolve(got));
      socket.write('GET /health HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n');
    });
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });
});
