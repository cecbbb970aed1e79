import { setImmediate as nextTurn } from 'node:timers/promises';
import { ListTurns } from './list-turns.js';

const CHUNKS = 12;
const LONG_WAIT_MS = 600_000;
/** Minimum number of event loop turns of a request with two database queries. */
const TURNS_OF_A_REQUEST = 4;

describe('the turns of lists', () => {
  let turns: ListTurns;
  let events: string[];

  beforeEach(() => {
    turns = new ListTurns(100, LONG_WAIT_MS);
    events = [];
  });

  async function list(
    name: string,
    onChunk: (chunk: number) => void = () => undefined,
    partnerId: number | null = null,
  ): Promise<void> {
    const pending = turns.begin();
    pending.setPartner(partnerId);
    for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
      await pending.inTurn(async () => {
        events.push(name);
        onChunk(chunk);
      });
    }
  }

  async function request(name: string): Promise<void> {
    const pending = turns.begin();
    events.push(`${name} arrived`);
    for (let turn = 0; turn < TURNS_OF_A_REQUEST; turn += 1) await nextTurn();
    events.push(`${name} answered`);
    pending.end();
  }

  it.each([1, 5, 40])('of %i readers let a request wait for at most one chunk', async (readers) => {
    const requests: Promise<void>[] = [];
    const lists = Array.from({ length: readers }, (_, reader) =>
      list(`list ${reader}`, (chunk) => requests.push(request(`request ${reader}/${chunk}`))),
    );
    await Promise.all(lists);
    await Promise.all(requests);
    expect(requests).toHaveLength(readers * CHUNKS);
    for (let reader = 0; reader < readers; reader += 1) {
      for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
        const from = events.indexOf(`request ${reader}/${chunk} arrived`);
        const to = events.indexOf(`request ${reader}/${chunk} answered`);
        const between = events.slice(from, to).filter((event) => event.startsWith('list'));
        expect(between.length).toBeLessThanOrEqual(1);
      }
    }
  });

  it('are given to the lists equally often', async () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    await Promise.all(names.map((name) => list(name)));
    const rounds = Array.from({ length: CHUNKS }, (_, round) =>
      events.slice(round * names.length, (round + 1) * names.length),
    );
    for (const round of rounds) expect(round).toEqual(names);
  });

  it('are given to the partners equally often, whatever the number of their lists', async () => {
    const many = Array.from({ length: 40 }, () => list('of one', undefined, 1));
    await Promise.all([...many, ...[2, 3, 4].map((partnerId) => list(`of ${partnerId}`, undefined, partnerId))]);
    for (let round = 0; round < CHUNKS; round += 1) {
      const taken = events.slice(round * 4, round * 4 + 4);
      expect(taken).toEqual(['of one', 'of 2', 'of 3', 'of 4']);
    }
  });

  it('let the event loop make a turn between two chunks, so that it reads requests that arrived', async () => {
    const lists = { ended: false };
    const watch = (async () => {
      while (!lists.ended) {
        await nextTurn();
        events.push('turn');
      }
    })();
    await Promise.all([list('one'), list('two')]);
    lists.ended = true;
    await watch;
    events.forEach((event, index) => {
      if (event !== 'turn' && index > 0) expect(events[index - 1]).toBe('turn');
    });
  });

  it('wait only once for a request that does not end', async () => {
    turns = new ListTurns(100, 1);
    const endless = turns.begin();
    await list('one');
    expect(events).toHaveLength(CHUNKS);
    endless.end();
  });

  it('continue after a chunk that failed', async () => {
    const failing = turns.begin().inTurn(async () => {
      throw new Error('no database');
    });
    const other = list('other');
    await expect(failing).rejects.toThrow('no database');
    await other;
    expect(events).toHaveLength(CHUNKS);
  });
});
