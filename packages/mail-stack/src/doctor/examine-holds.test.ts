import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineHolds } from './examine-holds.js';

const MINUTE_MS = 60_000;

describe('the doctor of the program that holds mail', () => {
  let folder: string;
  let stamp: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holds-stamp-'));
    stamp = join(folder, 'last-pass');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const NOW = Date.parse('2026-11-24T10:00:00Z');
  async function examine(holdsStamp: string | null): Promise<[string, string]> {
    const { doctor } = new MailStackSettings();
    const [finding] = await examineHolds({ doctor: Object.assign(doctor, { holdsStamp }) }, NOW);
    return [finding?.verdict ?? '', finding?.sentence ?? ''];
  }
  const ended = async (agoMs: number): Promise<void> =>
    await writeFile(stamp, `${new Date(NOW - agoMs).toISOString()}\n`);

  it('finds nothing while passes end', async () => {
    await ended(10 * MINUTE_MS);
    expect(await examine(stamp)).toEqual(['ok', expect.stringContaining('is held')]);
  });

  it('names a program that stopped, that never ended a pass, or whose file is damaged, with the consequence', async () => {
    const says = (text: string): [string, unknown] => [
      'wrong',
      expect.stringMatching(new RegExp(`^Queued mail of suspended domains is not held, so it bounces.*${text}`)),
    ];
    expect(await examine(stamp)).toEqual(says('no pass .* ended yet; does mailstead-holds.timer run'));
    await ended(10 * MINUTE_MS + 1);
    expect(await examine(stamp)).toEqual(says('ended at 2026-11-24T09:49:59.999Z; does mailstead-holds.timer run'));
    await writeFile(stamp, 'yesterday\n');
    expect(await examine(stamp)).toEqual(says('has no time'));
    expect(await examine(folder)).toEqual(says('EISDIR'));
  });

  it('says that it does not know when the settings name no file', async () => {
    expect(await examine(null)).toEqual(['warning', expect.stringContaining('is not known')]);
  });
});
