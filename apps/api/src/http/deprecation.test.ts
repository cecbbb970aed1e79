import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestOrigins } from '@mailstead/adapters/network/request-origins';
import { ShutdownCheck } from '@mailstead/core/health-check';
import supertest from 'supertest';
import { createApp } from '../app.js';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Admission } from './admission.js';
import { type Deprecation, RouteDeprecations } from './deprecation.js';
import { Integer, ListOf, QueryInteger, Text } from './fields.js';
import { HTTP_TIMEOUTS } from './http-server.js';
import { Idempotency } from './idempotency.js';
import { ListTurns } from './list-turns.js';
import { openApiOf } from './openapi/document.js';
import { type Route, route } from './route.js';
import { StrangerTurns } from './stranger-turns.js';

const EARLY: Deprecation = { since: '2026-12-01', sunset: '2028-01-01', use: 'Send `words`.' };
const LATE: Deprecation = { since: '2027-01-01', sunset: '2028-02-29', use: 'Call `/new`.' };

class OldItem {
  @Text({ description: 'A text', optional: true, deprecated: EARLY }) word?: string;
  @Text({ description: 'Some texts', optional: true }) words?: string;
}

class OldBody {
  @ListOf(OldItem, { description: 'The items', max: 3 }) items!: OldItem[];
}

class OldQuery {
  @QueryInteger({ description: 'A number', optional: true, deprecated: LATE }) old?: number;
  @QueryInteger({ description: 'Another number', optional: true }) limit?: number;
}

class Answer {
  @Integer({ description: 'A number' }) count!: number;
}

const common = { access: 'public', summary: 'Do something', response: Answer, run: () => ({ count: 1 }) } as const;
const WITH_BODY = route({ ...common, method: 'post', path: '/old-body', body: OldBody });
const WITH_QUERY = route({ ...common, method: 'get', path: '/old-query', query: OldQuery });
const OLD = route({ ...common, method: 'get', path: '/old', description: 'It counts.', deprecated: LATE });
const PAGE = '</docs/api-versions.md>; rel="deprecation"; type="text/plain"';

describe('a request with something deprecated', () => {
  let api: TestApi;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    const options = {
      admission: api.container.get(Admission),
      idempotency: api.container.get(Idempotency),
      log: api.log,
      shutdown: api.container.get(ShutdownCheck),
      readFor: api.database.readFor.bind(api.database),
      changesOf: api.database.turns.of.bind(api.database.turns),
      turns: new ListTurns(api.database.dialect.listChunkRows),
      strangers: new StrangerTurns(new RequestOrigins([])),
    };
    server = createApp([WITH_BODY, WITH_QUERY, OLD], options, { ...HTTP_TIMEOUTS, keepAliveMs: 65_000 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await api.close();
  });

  const noted = ({ headers }: supertest.Response) => [headers.deprecation, headers.sunset, headers.link];

  it('gets the headers of RFC 9745 and RFC 8594 when it calls a deprecated route', async () => {
    const expected = ['@1798761600', 'Tue, 29 Feb 2028 00:00:00 GMT', PAGE];
    expect(noted(await supertest(url).get('/old').expect(200))).toEqual(expected);
    expect(noted(await supertest(url).get('/old?unknown=1').expect(422))).toEqual(expected);
  });

  it('gets them when a deprecated field occurs in its query or anywhere in its body, and not without the field', async () => {
    expect(noted(await supertest(url).get('/old-query?old=1').expect(200))[0]).toBe('@1798761600');
    expect(noted(await supertest(url).get('/old-query?limit=1').expect(200))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const send = (items: object[]) => supertest(url).post('/old-body').send({ items });
    expect(noted(await send([{ words: 'a' }, { word: 'b' }]).expect(200))).toEqual([
      '@1796083200',
      'Sat, 01 Jan 2028 00:00:00 GMT',
      PAGE,
    ]);
    expect(noted(await send([{ words: 'a' }]).expect(200))).toEqual([undefined, undefined, undefined]);
    expect(noted(await send([{ word: 'b' }, { wrong: 1 }]).expect(422))[0]).toBe('@1796083200');
  });

  it('finds `deprecated: true`, the days and the replacement in the OpenAPI document', () => {
    const document = JSON.parse(JSON.stringify(openApiOf([WITH_BODY, WITH_QUERY, OLD]))) as {
      paths: Record<string, Record<string, { deprecated?: boolean; description: string; parameters: object[] }>>;
      components: { schemas: Record<string, { properties: Record<string, object> }>; headers: object };
    };
    const { paths, components } = document;
    const end = 'It counts. Deprecated since 2027-01-01, gone from 2028-02-29 on. Call `/new`.';
    expect(paths['/old']?.get).toMatchObject({ deprecated: true, description: expect.stringContaining(end) });
    expect(paths['/old-query']?.get?.deprecated).toBeUndefined();
    expect(paths['/old-query']?.get?.parameters[0]).toMatchObject({ name: 'old', deprecated: true });
    expect(components.schemas.OldItem?.properties.word).toMatchObject({ deprecated: true });
    expect(components.schemas.OldItem?.properties.words).not.toHaveProperty('deprecated');
    expect(Object.keys(components.headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
  });
});

it('the start fails for what would be gone before twelve months, and for days that are none', () => {
  const withEnd = (since: string, sunset: string): Route => ({ ...OLD, deprecated: { ...LATE, since, sunset } });
  expect(() => new RouteDeprecations(withEnd('2026-12-01', '2027-11-30'))).toThrow(
    'GET /old: deprecated since 2026-12-01, it must work for twelve months, not until 2027-11-30',
  );
  expect(() => new RouteDeprecations(withEnd('2026-12-01', '2027-12-01'))).not.toThrow();
  expect(() => new RouteDeprecations(withEnd('1.12.2026', '2027-12-01'))).toThrow('needs two days');
  expect(() => new RouteDeprecations(withEnd('2026-12-01', '2028-02-30'))).toThrow('needs two days');
  class Hasty {
    @Text({ deprecated: { ...EARLY, sunset: '2027-01-01' } }) word!: string;
  }
  expect(() => new RouteDeprecations({ ...WITH_QUERY, response: [Hasty] })).toThrow('twelve months');
  expect(() => new RouteDeprecations({ ...WITH_BODY, body: Hasty })).toThrow('twelve months');
});
