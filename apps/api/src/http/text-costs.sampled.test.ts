import { Agent, request as send } from 'node:http';
import { expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { fieldsOf } from './fields/field-notes.js';
import type { Route } from './route.js';

/** Nearly all of the 16 kB that Node reads of a request without its body. */
const LONGEST_URL = 12_000;
/** A quarter of a body, whose characters may have several bytes. */
const LONGEST_FIELD = 60_000;
const PIECES = ['a@', 'xn--a.', 'ß.', 'https://a/', 'v=1;', '%C3', '2026-03-15', 'Bearer ', '../', 'A-'];

interface Asked {
  method: string;
  path: string;
  body?: string;
}

describe('a text of a request', () => {
  let api: TestApi;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  beforeAll(async () => {
    api = await startTestApi('sqlite', { RATE_LIMIT: '0' });
  });
  afterAll(async () => {
    agent.destroy();
    await api.close();
  });

  /** Resolves when the request is answered, or its connection is closed. */
  function ask({ method, path, body }: Asked): Promise<void> {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const headers = { Authorization: `Bearer ${MASTER}`, ...type };
    return new Promise((resolve) => {
      const sent = send(api.url + path, { method, agent, headers }, (response) => {
        response.resume().once('close', resolve);
      });
      sent.once('error', () => resolve()).end(body);
    });
  }

  /** What answers without an end is not asked. */
  const routes = () => api.routes.filter(({ path, anyInput }) => anyInput !== true && !path.includes('stream'));
  const common = { pieces: PIECES, draws: sampleSize(10, 4), read: ask };

  it('takes at most 2.5 times as long when a parameter of a path is twice as long', async () => {
    const places = routes().filter(({ path }) => path.includes(':'));
    for (const { method, path } of sampled(places, 4)) {
      const inputOf = (text: string) => ({ method, path: path.replace(/:\w+/, escaped(text)).replace(/:\w+/g, '1') });
      await expectLinearTexts({ ...common, longest: LONGEST_URL, inputOf });
    }
  });

  it('takes at most 2.5 times as long when a parameter of a query is twice as long', async () => {
    const places = routes().flatMap((route) => namesOf(route.query).map((name) => ({ ...route, name })));
    for (const { method, path, name } of sampled(places, 4)) {
      const inputOf = (text: string) => ({ method, path: `${path.replace(/:\w+/g, '1')}?${name}=${escaped(text)}` });
      await expectLinearTexts({ ...common, longest: LONGEST_URL, inputOf });
    }
  });

  it('takes at most 2.5 times as long when a field of a body is twice as long', async () => {
    const places = routes().flatMap((route) => namesOf(route.body).map((name) => ({ ...route, name })));
    for (const { method, path, name, body } of sampled(places, 4)) {
      const inputOf = (text: string) => {
        const fields = { ...examplesOf(body), [name]: text };
        return { method, path: path.replace(/:\w+/g, '1'), body: JSON.stringify(fields) };
      };
      await expectLinearTexts({ ...common, longest: LONGEST_FIELD, inputOf });
    }
  });
});

/** What stays as it is may be an unfinished escape. */
function escaped(text: string): string {
  return text.replace(/[^!-~]/gu, encodeURIComponent);
}

function namesOf(dto: Route['body']): string[] {
  return dto === undefined ? [] : [...fieldsOf(dto).keys()];
}

/** The required fields of a body. */
function examplesOf(dto: Route['body']): object {
  const notes = dto === undefined ? [] : [...fieldsOf(dto)].filter(([, { optional }]) => !optional);
  return Object.fromEntries(notes.map(([name, { example }]) => [name, example]));
}
