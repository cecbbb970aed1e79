import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineOutages } from './examine-outages.js';

const MINUTE_MS = 60_000;
const LATER = 'After an outage of the database mail is deferred, and logins are refused, for minutes longer';

describe('the doctor of the program that ends outages', () => {
  let folder: string;
  let state: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outages-state-'));
    state = join(folder, 'state');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const NOW = Date.parse('2026-11-24T10:00:00Z');
  async function examine(outagesState: string | null): Promise<[string, string]> {
    const { doctor } = new MailStackSettings();
    const [finding] = await examineOutages({ doctor: Object.assign(doctor, { outagesState }) }, NOW);
    return [finding?.verdict ?? '', finding?.sentence ?? ''];
  }
  const looked = async (agoMs: number, result = 'works'): Promise<void> =>
    await writeFile(state, `${new Date(NOW - agoMs).toISOString()} ${result}\n`);

  it('finds nothing while it looks', async () => {
    await looked(2 * MINUTE_MS);
    expect(await examine(state)).toEqual(['ok', expect.stringContaining('are noticed')]);
  });

  it('names a program that stopped, never ran, or owes a renewal, with the consequence', async () => {
    const says = (text: string): [string, unknown] => [
      'wrong',
      expect.stringMatching(new RegExp(`^${LATER}: .*${text}`)),
    ];
    expect(await examine(state)).toEqual(says('no state of it; does mailstead-outages.service run'));
    await looked(2 * MINUTE_MS + 1);
    expect(await examine(state)).toEqual(says('at 2026-11-24T09:57:59.999Z; does mailstead-outages.service run'));
    await looked(0, 'fails');
    expect(await examine(state)).toEqual(says('sees an outage now, or could not renew'));
    await writeFile(state, 'yesterday\n');
    expect(await examine(state)).toEqual(says('has no time'));
    expect(await examine(folder)).toEqual(says('EISDIR'));
  });

  it('says that it does not know when the settings name no file', async () => {
    expect(await examine(null)).toEqual(['warning', expect.stringContaining('is not known')]);
  });
});
