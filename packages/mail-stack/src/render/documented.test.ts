import { readdirSync, readFileSync } from 'node:fs';
import { MailStackSettings, parseMailStackSettings } from '../settings/mail-stack-settings.js';
import { renderMailStack } from './render-mail-stack.js';
import { sqlMapSettings } from './render-postfix.js';
import { sqlMaps } from './sql-maps.js';

const ROOT = new URL('../../../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const PAGE = textOf('docs/mail-stack.md');
const UPGRADING = textOf('docs/upgrading.md');

/** The part of a document below a heading, up to the next one of any level. */
function partOf(document: string, heading: string): string {
  const [, part] = document.split(`\n${heading}\n`);
  if (part === undefined) throw new Error(`There is no heading ${heading}`);
  return part.split(/^##+ /m, 1)[0] ?? '';
}

/** The names of all settings, `section.name`. A section that may be null is one setting. */
function namesOf(section: object, above = ''): string[] {
  return Object.entries(section).flatMap(([name, value]: [string, unknown]) =>
    value !== null && typeof value === 'object' && /Settings|Login/.test(value.constructor.name)
      ? namesOf(value, `${above}${name}.`)
      : [above + name],
  );
}

/** The names in a cell: a name that begins with a dot has the section of the one before. */
function namesIn(cell: string): string[] {
  let section = '';
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => {
    if (name.startsWith('.')) return section + name;
    section = name.slice(0, Math.max(0, name.lastIndexOf('.')));
    return name;
  });
}

const settings = parseMailStackSettings({
  ...JSON.parse(textOf('packages/mail-stack/settings.example.json').replaceAll('change-me', 'changed-0123456789')),
});
settings.dovecot.version = '2.3';
settings.postfix.logFile = '/var/log/mailstead/postfix.log';

describe('the documents of the mail stack', () => {
  it('name each setting', () => {
    const part = partOf(PAGE, '## 4. Settings');
    const cells = Array.from(part.matchAll(/^\| (`.*?) \|/gm), ([, cell = '']) => cell);
    const rows = new Set(cells.flatMap(namesIn));
    const named = new Set(part.split('\n').flatMap(namesIn));
    // A row may be about a whole section.
    const isNamed = (name: string): boolean =>
      named.has(name) || name.split('.').some((_, depth, words) => rows.has(words.slice(0, depth).join('.')));
    const names = namesOf(new MailStackSettings());
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => !isNamed(name))).toEqual([]);
  });

  it.each([
    ['an installation', partOf(PAGE, '## 5. Rendering, installing, starting')],
    ['an update from an earlier release', partOf(PAGE, '### From an earlier release')],
    ['an update from 5.1', partOf(UPGRADING, '### The mail servers')],
  ])('copy each rendered folder at %s', (_, part) => {
    const folders = renderMailStack(settings)
      .map(({ path }) => path.split('/'))
      .filter(({ length }) => length > 1)
      .map(([folder = '']) => folder);
    const copied = (folder: string): boolean => part.includes(`\ncp -a /etc/mailstead/rendered/${folder}/. /etc/`);
    // That of Postfix's own log is optional, and has a section of its own.
    expect([...new Set(folders)].filter((folder) => !copied(folder))).toEqual(['logrotate']);
    expect(partOf(PAGE, '### Log rotation')).toContain('\ncp /etc/mailstead/rendered/logrotate/');
  });

  it('start each unit of systemd', () => {
    const units = readdirSync(new URL('systemd', ROOT)).filter((unit) =>
      textOf(`systemd/${unit}`).includes('[Install]'),
    );
    const started = new Set(
      Array.from(`${PAGE}${textOf('docs/billing.md')}`.matchAll(/systemctl enable --now ([\w. -]+)/g)).flatMap(
        ([, names = '']) => names.split(' '),
      ),
    );
    const forgotten = units.filter((unit) => !started.has(unit) && !started.has(unit.replace(/\.service$/, '')));
    expect(forgotten).toEqual([]);
  });

  it('say how many maps the doctor asks', () => {
    for (const [instance, folder] of [['mx', 'postfix'] as const, ['submission', 'postfix-submission'] as const]) {
      const { length } = sqlMaps(instance, sqlMapSettings(settings));
      expect(PAGE).toContain(`All ${length} maps of Postfix in /etc/${folder} answer.`);
    }
  });
});
