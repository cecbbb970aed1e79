import { appendFile, copyFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@mailstead/core/testing/until';
import { StoredPosition } from '../delivery-meter/log-position.js';
import type { TrailItem } from './messages-in-flight.js';
import { TrailFollower } from './trail-follower.js';

const PLACE = 'Nov 21 07:07:20 mx1 postfix/';
const begun = (id: string) => `${PLACE}smtpd[1]: ${id}: client=a[192.0.2.1]\n`;
const queued = (id: string) => `${PLACE}qmgr[1]: ${id}: from=<j@far.example>, size=5, nrcpt=1 (queue active)\n`;
const stored = (id: string) =>
  `${PLACE}lmtp[1]: ${id}: to=<a@acme.test>, relay=mx1, delay=0.3, delays=0.2/0/0.01/0.1, dsn=2.0.0, status=sent (250 ok)\n`;

describe('the follower of Postfix’s log', () => {
  let folder: string;
  let log: string;
  let reports: TrailItem[][];
  let failures: number;
  let isDown: boolean;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trail-follower-'));
    log = join(folder, 'postfix.log');
    await writeFile(log, 'an old line\n');
    reports = [];
    failures = 0;
    isDown = false;
    stop = async () => {};
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  const state = () => join(folder, 'state.json');

  /** Starts a follower like a new process: it has only the files of the former one. */
  async function start(): Promise<void> {
    const abort = new AbortController();
    const position = new StoredPosition(state());
    const report = async (items: readonly TrailItem[]) => {
      if (isDown) {
        failures += 1;
        throw new Error('Mailstead does not answer');
      }
      reports.push([...items]);
    };
    const follower = new TrailFollower(position, report, { log, host: 'mx1', pollMs: 5, maxPauseMs: 5 });
    const running = follower.run(abort.signal);
    stop = async () => {
      abort.abort();
      await running;
    };
    await until('the first position', async () => (await position.load()) !== null);
  }

  const steps = () => reports.flat().map(({ queue_id: id, step }) => `${id} ${step}`);
  const offset = async () => (JSON.parse(await readFile(state(), 'utf8')) as { offset: number }).offset;

  it('reports what is written after its first start, and saves its position behind it', async () => {
    await start();
    const lines = begun('4dGz1V2y3X1') + queued('4dGz1V2y3X1') + stored('4dGz1V2y3X1');
    await appendFile(log, lines);
    await until('the steps', () => steps().length === 2);
    expect(steps()).toEqual(['4dGz1V2y3X1 accepted', '4dGz1V2y3X1 stored']);
    const end = Buffer.byteLength(`an old line\n${lines}`);
    await until('the position', async () => (await offset()) === end);
  });

  it('knows the beginning of a message that was not tried before it was stopped', async () => {
    await start();
    await appendFile(log, begun('4dGz1V2y3X0') + queued('4dGz1V2y3X0') + stored('4dGz1V2y3X0'));
    await until('the first message', () => steps().length === 2);
    await appendFile(log, begun('4dGz1V2y3X1') + queued('4dGz1V2y3X1'));
    await appendFile(log, begun('4dGz1V2y3X2') + queued('4dGz1V2y3X2') + stored('4dGz1V2y3X2'));
    await until('the message after it', () => steps().includes('4dGz1V2y3X2 stored'));
    await stop();
    reports = [];
    await appendFile(log, stored('4dGz1V2y3X1'));
    await start();
    await until('its end', () => steps().includes('4dGz1V2y3X1 stored'));
    expect(steps()).toContain('4dGz1V2y3X1 accepted');
    expect(steps()).not.toContain('4dGz1V2y3X0 stored');
  });

  it('sends the same steps again when it was killed between a report and its saved position', async () => {
    await start();
    const saved = await readFile(state(), 'utf8');
    const refused = (helo: string) =>
      `${PLACE}smtpd[1]: NOQUEUE: reject: RCPT from a[192.0.2.1]: 550 5.1.1 <no@acme.test>: Recipient address rejected: User unknown; from=<> to=<no@acme.test> proto=ESMTP helo=<${helo}>\n`;
    const message = begun('4dGz1V2y3X1') + queued('4dGz1V2y3X1') + stored('4dGz1V2y3X1');
    await appendFile(log, refused('a') + message + refused('b'));
    await until('the steps', () => steps().length === 4);
    await stop();
    const first = reports.flat();
    reports = [];
    await writeFile(state(), saved);
    await start();
    await until('the steps again', () => steps().length === 4);
    expect(reports.flat()).toEqual(first);
  });

  it.each(['renamed', 'copied and truncated'])(
    'knows the beginning of a message that was not tried before the log was %s while it was stopped',
    async (how) => {
      await start();
      await appendFile(log, begun('4dGz1V2y3X0') + queued('4dGz1V2y3X0') + stored('4dGz1V2y3X0'));
      await until('the first message', () => steps().length === 2);
      await appendFile(
        log,
        begun('4dGz1V2y3X1') + queued('4dGz1V2y3X1') + begun('4dGz1V2y3X2') + queued('4dGz1V2y3X2'),
      );
      await appendFile(log, stored('4dGz1V2y3X2'));
      await until('the message after it', () => steps().includes('4dGz1V2y3X2 stored'));
      await stop();
      reports = [];
      if (how === 'renamed') {
        await rename(log, `${log}.1`);
        await writeFile(log, '');
      } else {
        await copyFile(log, `${log}.1`);
        await truncate(log);
      }
      await appendFile(log, stored('4dGz1V2y3X1'));
      await start();
      await until('its end', () => steps().includes('4dGz1V2y3X1 stored'));
      expect(steps()).toContain('4dGz1V2y3X1 accepted');
      expect(steps()).not.toContain('4dGz1V2y3X0 stored');
    },
  );

  it('waits while the API is away, and then reports everything in reports of at most 500 steps', async () => {
    await start();
    isDown = true;
    const ids = Array.from({ length: 600 }, (_, index) => `4dGz1V2y${String(index).padStart(4, '0')}`);
    await appendFile(log, ids.map((id) => begun(id) + queued(id) + stored(id)).join(''));
    await until('two failures', () => failures >= 2);
    expect(reports).toEqual([]);
    isDown = false;
    await until('every step', () => steps().length === 1_200);
    expect(Math.max(...reports.map(({ length }) => length))).toBe(500);
  });
});
