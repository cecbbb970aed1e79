import { closedLoop, type Session } from './closed-loop.js';

const TIMES = { roundMs: 50, patienceMs: 50 };
const never = new Promise<void>(() => undefined);

function session(send: () => Promise<void>): () => Promise<Session> {
  return async () => ({ send, close: () => undefined });
}

describe('a closed-loop round', () => {
  it('has no failure when every message is answered', async () => {
    const answered = session(() => new Promise((resolve) => setImmediate(resolve)));
    const { perSecond, failures } = await closedLoop(3, answered, TIMES);
    expect(failures).toEqual([]);
    expect(perSecond).toBeGreaterThan(0);
  });

  it('counts a session that goes silent as failed, and ends without it', async () => {
    const { perSecond, failures } = await closedLoop(
      2,
      session(() => never),
      TIMES,
    );
    expect(perSecond).toBe(0);
    expect(failures).toEqual(Array(2).fill('The connection went silent'));
  });

  it('counts a refused message and a refused connection as failures, once for each session', async () => {
    const refusing = session(() => Promise.reject(new Error('refused')));
    const absent = () => Promise.reject(new Error('no server'));
    const { failures } = await closedLoop(2, (index) => (index === 0 ? refusing() : absent()), TIMES);
    expect(failures).toEqual(['Error: refused', 'Error: no server']);
  });
});
