import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { requestText, statusesOf, statusesOfMost } from '../testing/pipelined-requests.js';
import { until } from '../testing/until.js';
import { inTurn } from './pipelines.js';

describe('of one connection', () => {
  let server: Server;
  let port: number;
  let running = 0;
  let mostAtOnce = 0;
  let served: string[] = [];
  let letGo: () => void = () => undefined;
  let gate: Promise<void> = Promise.resolve();

  beforeAll(async () => {
    server = createServer(
      inTurn((request, response) => {
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        served.push(request.url ?? '');
        void gate.then(() => {
          running -= 1;
          response.end();
        });
      }),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => {
    [mostAtOnce, served, gate] = [0, [], Promise.resolve()];
  });
  afterEach(() => letGo());
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const hold = () => {
    gate = new Promise((resolve) => {
      letGo = resolve;
    });
  };

  it('one request runs, 32 wait, and one more ends it', async () => {
    expect(await statusesOfMost(port, '/')).toEqual({ statuses: Array(33).fill(200), isEndedByOneMore: true });
    expect(mostAtOnce).toBe(1);
  });

  it('the requests are served in their order', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    await statusesOf(port, [...paths.map((path) => requestText(path)), requestText('/last', { isLast: true })]);
    expect(served).toEqual([...paths, '/last']);
  });

  it('one waiting request of all connections begins in a turn of the event loop, so that what has arrived on others is served between two', async () => {
    hold();
    const paths = (name: string) => Array.from({ length: 10 }, (_, index) => `/${name}${index}`);
    const sent = ['a', 'b'].map((name) =>
      statusesOf(port, [...paths(name).map((path) => requestText(path)), requestText(`/${name}`, { isLast: true })]),
    );
    await until('the first request of both', () => running === 2);
    letGo();
    let turns = 0;
    let most = 0;
    let before = served.length;
    const watch = () => {
      most = Math.max(most, served.length - before);
      before = served.length;
      turns += 1;
      if (served.length < 22) setImmediate(watch);
    };
    setImmediate(watch);
    await Promise.all(sent);
    expect(most).toBe(1);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('no request begins when the client has gone, and other connections are served meanwhile', async () => {
    hold();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const [serverSide] = await connected;
    socket.write(requestText('/held') + requestText('/after').repeat(5));
    await until('the pause', () => serverSide.isPaused());
    const other = statusesOf(port, [requestText('/other', { isLast: true })]);
    await until('the other request', () => served.includes('/other'));
    socket.destroy();
    await until('the end of the connection', () => serverSide.destroyed);
    letGo();
    expect(await other).toEqual([200]);
    await until('the end of both requests', () => running === 0);
    expect(served).toEqual(['/held', '/other']);
  });
});
