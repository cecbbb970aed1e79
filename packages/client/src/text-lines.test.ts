import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiProblem } from './api-problem.js';
import { textLines } from './text-lines.js';

let server: Server;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.headers.authorization === 'Bearer t' && request.headers.accept === 'text/csv') answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const lines = () =>
  textLines(
    { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, token: 't', accept: 'text/csv' },
    '/usage',
  );

describe('the lines of a long response', () => {
  it('are returned while the response still arrives', async () => {
    let end = () => undefined as void;
    answer = (response) => {
      response.write('a,b\r\n1,2\r\n');
      end = () => void response.end('3,4\r\n');
    };
    const seen: string[] = [];
    for await (const line of lines()) {
      seen.push(line);
      if (seen.length === 2) end();
    }
    expect(seen).toEqual(['a,b', '1,2', '3,4']);
  });

  it('end with an error when the connection ends before the response does', async () => {
    answer = (response) => {
      response.write('a,b\r\n1,2\r\n', () => response.destroy());
    };
    await expect(collect()).rejects.toThrow(/aborted|cut off|ECONNRESET/);
  });

  it('are the API’s problem when the status is not 2xx', async () => {
    answer = (response) => {
      response.writeHead(403).end(JSON.stringify({ code: 'token_scope', detail: 'Not allowed' }));
    };
    await expect(collect()).rejects.toMatchObject({ status: 403, code: 'token_scope', detail: 'Not allowed' });
    await expect(collect()).rejects.toBeInstanceOf(ApiProblem);
  });
});

async function collect(): Promise<string[]> {
  const seen: string[] = [];
  for await (const line of lines()) seen.push(line);
  return seen;
}
