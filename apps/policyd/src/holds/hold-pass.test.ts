import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AskStops, HoldPass } from './hold-pass.js';

const MESSAGES = 20_000;
const MARK = 0o1000;
const SUSPENDED = { hosted: true, sending_waits: true, receiving_waits: true };
const OPEN = { hosted: true, sending_waits: false, receiving_waits: false };
const CREATED = '1700000000';

describe('a pass over a queue', () => {
  let folder: string;
  /** What is in the queue, by id, with the recipient's domain. */
  let queued: { queue: 'hold' | 'deferred'; id: string; domain: string }[];
  let given: number;
  let held: string[];
  let released: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hold-pass-'));
    for (const name of ['hold', 'deferred', 'deferred/A', 'deferred/F']) await mkdir(join(folder, name));
    [queued, given, held, released] = [[], 0, [], []];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const idOf = (index: number): string => `4fQ1${String(index).padStart(8, '0')}z1Bc`;
  const pathOf = (queue: string, id: string): string => join(folder, queue === 'hold' ? 'hold' : 'deferred/F', id);

  /** Like Postfix's: attributes before the content. */
  const add = async (index: number, queue: 'hold' | 'deferred', domain: string, isMarked = false): Promise<string> => {
    const id = idOf(index);
    const record = (type: string, text: string): string => `${type}${String.fromCharCode(text.length)}${text}`;
    const body = [record('C', '   500'), record('T', `${CREATED} 1`), record('A', `create_time=${CREATED}`)];
    await writeFile(pathOf(queue, id), `${body.join('')}M\0create_time=1700000000`, 'latin1');
    await chmod(pathOf(queue, id), isMarked ? 0o1700 : 0o700);
    queued.push({ queue, id, domain });
    return id;
  };
  const modeOf = async (queue: string, id: string): Promise<number> => (await stat(pathOf(queue, id))).mode & MARK;

  const postfix = {
    queueDirectory: async () => folder,
    lifetime: async () => 432_000,
    async *queueLines() {
      for (const { queue, id, domain } of queued) {
        given += 1;
        const recipients = [{ address: `x@${domain}` }];
        yield JSON.stringify({
          queue_name: queue,
          queue_id: id,
          arrival_time: 1_700_000_000,
          sender: 'a@b.test',
          recipients,
        });
      }
    },
    hold: async (ids: readonly string[]) => {
      held.push(...ids);
      for (const id of ids) await rename(pathOf('deferred', id), pathOf('hold', id));
    },
    release: async (ids: readonly string[]) => {
      released.push(...ids);
      for (const id of ids) await rename(pathOf('hold', id), pathOf('deferred', id));
    },
  };
  const ask: AskStops = async (domains) =>
    new Map(domains.map((domain) => [domain, domain.startsWith('susp') ? SUSPENDED : OPEN]));

  it('of 20,000 messages reads 500 before it asks about them, and asks once for each 500', async () => {
    queued = Array.from({ length: MESSAGES }, (_, index) => ({
      queue: 'deferred' as const,
      id: idOf(index + 1_000_000),
      domain: index % 100 === 0 ? `susp${index % 7}.test` : `d${index % 1_000}.test`,
    }));
    const ahead: number[] = [];
    let asked = 0;
    const result = await HoldPass.run(
      postfix,
      async (domains) => {
        ahead.push(given - asked * 500);
        asked += 1;
        expect(domains.length).toBeLessThanOrEqual(500);
        return ask(domains);
      },
      false,
    );
    expect(asked).toBeLessThanOrEqual(MESSAGES / 500 + 1);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(500);
    expect(result.waiting.size).toBe(7);
    expect([...result.waiting.values()].reduce((sum, { messages }) => sum + messages, 0)).toBe(MESSAGES / 100);
  });

  it('holds with a mark, releases only what has the mark, with a new lifetime, and removes marks that no hold followed', async () => {
    const [waits, ours, byHand, open, left] = [
      await add(1, 'deferred', 'susp.test'),
      await add(2, 'hold', 'open.test', true),
      await add(3, 'hold', 'open.test'),
      await add(4, 'deferred', 'open.test'),
      await add(5, 'deferred', 'open.test', true),
    ];
    expect(await HoldPass.run(postfix, ask, true)).toMatchObject({ held: 1, released: 1, renewed: 0, unread: 0 });
    expect([held, released]).toEqual([[waits], [ours]]);
    expect(await modeOf('hold', waits)).toBe(MARK);
    for (const id of [ours, open, left]) expect(await modeOf('deferred', id)).toBe(0);
    expect(await modeOf('hold', byHand)).toBe(0);
    const text = await readFile(pathOf('deferred', ours), 'latin1');
    const [, created = ''] = /create_time=(\d{10})M/.exec(text) ?? [];
    expect(Number(created)).toBeGreaterThan(Number(CREATED));
    // The content is as it was.
    expect(text).toMatch(/create_time=1700000000$/);
  });

  it('changes nothing more when the API does not answer', async () => {
    await add(1, 'deferred', 'susp.test');
    await add(2, 'hold', 'open.test', true);
    const away = HoldPass.run(postfix, () => Promise.reject(new Error('away')), true);
    await expect(away).rejects.toThrow('away');
    expect([held, released]).toEqual([[], []]);
  });
});
