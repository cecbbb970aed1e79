import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefusalMemory } from './refusal-memory.js';

describe('the memory of refused domains', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-refusals-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('saves a refusal later when it could not be saved at first', async () => {
    const memory = await RefusalMemory.open(folder);
    await rename(folder, `${folder}.away`);
    memory.note('a.example', true);
    await expect(memory.saved()).rejects.toMatchObject({ code: 'ENOENT' });
    await rename(`${folder}.away`, folder);
    await memory.saved();
    expect((await RefusalMemory.open(folder)).has('a.example')).toBe(true);
  });

  it.each(['', '{}', '[1]', 'null', '[["a.exa'])('starts empty from a file with the content %j', async (text) => {
    await writeFile(join(folder, 'refused.json'), text);
    expect((await RefusalMemory.open(folder)).has('a.example')).toBe(false);
  });
});
