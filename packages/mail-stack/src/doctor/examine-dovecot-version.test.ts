import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineDovecotVersion } from './examine-dovecot-version.js';

const OLD = '2.3.19.1 (9b53102964)';
const NEW = '2.4.1-4 (7d8c0e5759)';
const FILES = { '2.3': 'instance_name = mailstead\n', '2.4': '# For 2.4\ndovecot_config_version = 2.4.0\n' };

describe('the doctor, about the version of Dovecot', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dovecot-version-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it.each<
    [version: 'auto' | '2.3' | '2.4', file: keyof typeof FILES, installed: string | null, verdict: string, says: RegExp]
  >([
    ['auto', '2.3', OLD, 'ok', /^Dovecot 2\.3\.19\.1 \S+ is installed, and its file is for 2\.3\.$/],
    ['auto', '2.4', NEW, 'ok', /^Dovecot 2\.4\.1-4 \S+ is installed, and its file is for 2\.4\.$/],
    ['2.4', '2.4', NEW, 'ok', /its file is for 2\.4/],
    [
      'auto',
      '2.3',
      NEW,
      'wrong',
      /dovecot\.conf is for 2\.3, and Dovecot 2\.4\.1-4 .* is installed.*render and copy again/,
    ],
    ['auto', '2.4', OLD, 'wrong', /dovecot\.conf is for 2\.4, and Dovecot 2\.3\.19\.1 .* is installed/],
    ['2.3', '2.3', NEW, 'wrong', /dovecot\.version is "2\.3", and Dovecot 2\.4\.1-4 .* is installed.*set it to "auto"/],
    ['auto', '2.3', '2.2.36', 'wrong', /there are templates for 2\.3 and 2\.4/],
    ['auto', '2.3', null, 'wrong', /no Dovecot is installed on this host/],
  ])(
    'with dovecot.version %s, a file for %s and Dovecot %s says: %s',
    async (version, file, installed, verdict, says) => {
      await writeFile(join(folder, 'dovecot.conf'), FILES[file]);
      const settings = new MailStackSettings();
      settings.dovecot.version = version;
      settings.dovecot.configDirectory = folder;
      const findings = await examineDovecotVersion(settings, () => installed);
      expect(findings).toEqual([{ verdict, sentence: expect.stringMatching(says) }]);
    },
  );
});
