import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describePhp } from '../testing/describe-php.js';
import { runPhp, WHMCS_FOLDER, WhmcsShop } from '../testing/whmcs-shop.js';

const MODULE = join(WHMCS_FOLDER, 'modules/servers/mailstead');
const NO_SERVICE = new WhmcsShop('http://127.0.0.1:1', '');

describePhp('the files of the WHMCS module', () => {
  const phpFiles = async (folder: string): Promise<string[]> =>
    (await readdir(folder, { recursive: true }))
      .filter((name) => name.endsWith('.php'))
      .map((name) => join(folder, name));

  it('are PHP without a mistake of syntax', async () => {
    const files = await phpFiles(WHMCS_FOLDER);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(await runPhp(['-l', file])).toMatch(/^No syntax errors/);
  });

  it('do nothing when a browser asks for them', async () => {
    expect(await runPhp([join(MODULE, 'mailstead.php')])).toBe('This file cannot be accessed directly');
    for (const file of await phpFiles(join(MODULE, 'lib'))) {
      expect(await runPhp([file])).toBe('');
    }
  });

  it('are at most 350 lines long', async () => {
    for (const file of await phpFiles(WHMCS_FOLDER)) {
      expect((await readFile(file, 'utf8')).split('\n').length).toBeLessThanOrEqual(350);
    }
  });

  it('say the sentences that docs/whmcs.md explains, beside those of the API', async () => {
    const page = await readFile(join(WHMCS_FOLDER, '../../docs/whmcs.md'), 'utf8');
    const codes = await readFile(join(WHMCS_FOLDER, '../../docs/error-codes.md'), 'utf8');
    const sources = await Promise.all((await phpFiles(MODULE)).map((file) => readFile(file, 'utf8')));
    const said = [codes, ...sources].join('\n').replaceAll("\\'", "'");
    const rows =
      page
        .split('## What the sentences mean')[1]
        ?.split('\n## ')[0]
        ?.match(/^\| `[^|]+/gm) ?? [];
    const parts = rows
      .flatMap((row) => [...row.matchAll(/`([^`]+)`/g)])
      .flatMap(([, sentence = '']) => sentence.split('…'))
      .map((part) => part.trim())
      .filter((part) => part.length > 3);
    expect(parts.length).toBeGreaterThan(25);
    expect(parts.filter((part) => !said.includes(part))).toEqual([]);
  });

  it('describe the module and the settings of a product in the order in which it reads them', async () => {
    expect((await NO_SERVICE.call('MetaData')).result).toMatchObject({
      DisplayName: 'Mailstead',
      RequiresServer: true,
    });
    expect(Object.keys((await NO_SERVICE.call('ConfigOptions')).result as object)).toEqual([
      'Plan',
      'Partner',
      'Delete on termination',
    ]);
  });
});
