import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CORE = 'packages/core/src/';

/** The packages of this repository that each package may import, including itself. */
const LAYERS: Record<string, string[]> = {
  'packages/core': ['core'],
  'packages/adapters': ['adapters', 'core'],
  'packages/mail-stack': ['mail-stack', 'adapters'],
  'packages/bench': ['bench', 'mail-stack', 'adapters', 'core'],
  'apps/api': ['api', 'adapters', 'core'],
  'apps/worker': ['worker', 'adapters', 'core'],
  'packages/client': ['client'],
  'apps/policyd': ['policyd', 'client', 'core'],
  'apps/billing': ['billing', 'client', 'core'],
  'apps/portal': ['portal', 'client'],
};

/** What only the tests of a package may import besides. */
const LAYERS_OF_TESTS: Record<string, string[]> = {
  'apps/policyd': ['api'],
  'apps/billing': ['api'],
  'apps/portal': ['adapters', 'api', 'core'],
  'packages/mail-stack': ['api', 'worker'],
  'packages/bench': ['client'],
};

/** The modules outside the repository that the core may import: none of them does I/O. */
const CORE_ALLOWED = ['tldts', 'tr46', 'node:async_hooks', 'node:crypto'];

/** The files and folders that may import a library; a folder ends with a slash. Tests may import all. */
const HOMES: Record<string, string[]> = {
  typeorm: ['packages/adapters/src/database/'],
  libsql: ['packages/adapters/src/database/'],
  mysql2: ['packages/adapters/src/database/', 'packages/mail-stack/', 'packages/bench/'],
  bullmq: ['packages/adapters/src/bullmq/'],
  ioredis: ['packages/adapters/src/bullmq/'],
  '@aws-sdk/client-sesv2': ['packages/adapters/src/ses/'],
  bcrypt: ['packages/adapters/src/bcrypt/'],
  '@zxcvbn-ts/language-common': ['packages/adapters/src/passwords/'],
  nodemailer: ['packages/adapters/src/smtp/', 'packages/mail-stack/', 'apps/policyd/src/milter/'],
  saxes: ['packages/adapters/src/logos/'],
  'age-encryption': ['packages/adapters/src/recovery/'],
  undici: ['packages/adapters/src/webhooks/', 'packages/adapters/src/dovecot/'],
  winston: ['packages/adapters/src/logger.ts', 'apps/policyd/src/logger.ts', 'apps/billing/src/logger.ts'],
  'prom-client': [
    'packages/adapters/src/metrics/',
    'packages/adapters/src/options.ts',
    'apps/api/src/metrics/',
    'apps/policyd/src/metrics.ts',
    'apps/billing/src/metrics.ts',
  ],
  express: ['apps/api/', 'apps/billing/src/webhook/', 'packages/bench/'],
  stripe: ['apps/billing/'],
  helmet: ['apps/api/'],
  inversify: [
    'packages/adapters/src/bindings.ts',
    'packages/adapters/src/container.ts',
    'packages/adapters/src/service-process.ts',
    'apps/api/src/controllers.ts',
    'apps/api/src/service.ts',
  ],
};

/** The maximum number of lines of a file. Split a longer file by meaning. */
const MAX_LINES = 350;

/** The files above the maximum. Do not add files to this list. */
const LONGER_FILES: string[] = [];

/**
 * The names, payloads and queue of jobs, which every folder of the core may import. It imports no other folder, so an
 * import of it makes no pair.
 */
const PAYLOADS = 'packages/core/src/jobs/jobs.ts';

/**
 * The pairs of core folders that import each other; `.` is the root. Other folders depend on each other in one
 * direction only. Do not add pairs to this list.
 */
const FOLDERS_IN_BOTH_DIRECTIONS = [
  'aliases ↔ domains',
  'aliases ↔ mailboxes',
  'api-keys ↔ operators',
  'domains ↔ mailboxes',
  'domains ↔ outbound',
  'domains ↔ plans',
  'domains ↔ relay',
  'jobs ↔ suppressions',
  'mailboxes ↔ plans',
];

interface Import {
  file: string;
  name: string;
  /** Whether the import is there at run time. */
  isOfValue: boolean;
}

const imports = sourceFiles().flatMap(importsOf);

describe('the layers', () => {
  it('list only files and folders that exist', () => {
    const named = [...Object.keys(LAYERS).map((folder) => `${folder}/`), ...Object.values(HOMES).flat()];
    const missing = named.filter((path) => {
      const entry = statSync(join(ROOT, path), { throwIfNoEntry: false });
      return path.endsWith('/') ? !entry?.isDirectory() : !entry?.isFile();
    });
    expect(missing).toEqual([]);
  });

  it('cover every package and app, and find imports in each', () => {
    const folders = ['packages', 'apps'].flatMap((group) =>
      readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
    );
    expect(Object.keys(LAYERS).toSorted()).toEqual(folders.toSorted());
    const packages = new Set(imports.map(({ file }) => file.split('/').slice(0, 2).join('/')));
    expect([...packages].toSorted()).toEqual(folders.toSorted());
  });

  it('import only lower layers: apps import adapters and the core, adapters import the core', () => {
    const wrong = imports.filter(({ file, name }) => {
      const used = /^@mailstead\/([a-z-]+)/.exec(name)?.[1];
      return used !== undefined && !layersOf(file).includes(used);
    });
    expect(wrong).toEqual([]);
  });

  it('are not bypassed by relative paths', () => {
    const wrong = imports.filter(({ file, name }) => {
      if (!name.startsWith('.') || (isTest(file) && name.includes('/scripts/'))) return false;
      const target = relative(ROOT, resolve(ROOT, dirname(file), name));
      return target.split('/').slice(0, 2).join('/') !== file.split('/').slice(0, 2).join('/');
    });
    expect(wrong).toEqual([]);
  });

  it('keep the core free of I/O', () => {
    const wrong = imports.filter(
      ({ file, name }) =>
        file.startsWith('packages/core/') && !isTest(file) && !name.startsWith('.') && !CORE_ALLOWED.includes(name),
    );
    expect(wrong).toEqual([]);
  });

  it('import each library only in the listed folders', () => {
    const wrong = imports.filter(({ file, name }) => {
      const homes = HOMES[packageOf(name)];
      return homes !== undefined && !isTest(file) && !homes.some((home) => file.startsWith(home));
    });
    expect(wrong).toEqual([]);
  });

  it('do not import test doubles in product code', () => {
    const wrong = imports.filter(({ file, name }) => !isTest(file) && /(^|\/)testing\//.test(name));
    expect(wrong).toEqual([]);
  });

  it('read the environment only in the settings', () => {
    const wrong = sourceFiles().filter(
      (file) =>
        !isTest(file) &&
        /process\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')) &&
        !/(config|settings)\.ts$|packages\/bench\//.test(file),
    );
    expect(wrong).toEqual([]);
  });

  it('have no barrel files and no file names without meaning', () => {
    const wrong = sourceFiles().filter((file) =>
      /\/(index|utils?|helpers?|common|shared|misc)(\.|\/)|(Impl|manager|service-base)\./.test(file),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the features of the core', () => {
  it('import entities, values and ports of each other, but no use cases', () => {
    const useCase =
      /\/(create|delete|update|set|change|move|suspend|start|poll|record|process|purge|deliver)-[a-z-]+\.js$/;
    const frames = /\/(change-domain|set-domain-limits)\.js$/;
    const wrong = imports.filter(
      ({ file, name }) =>
        file.startsWith('packages/core/') &&
        !isTest(file) &&
        !file.startsWith('packages/core/src/jobs/') &&
        name.startsWith('../') &&
        useCase.test(name) &&
        !frames.test(name),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the folders of the core', () => {
  it('depend on each other in one direction, except for the listed pairs', () => {
    const uses = new Set(
      imports.flatMap(({ file, name }) => {
        if (!file.startsWith(CORE) || isTest(file) || !name.startsWith('.')) return [];
        const target = fileOf(file, name);
        const [from, to] = [folderOf(file), folderOf(target)];
        return from === to || target === PAYLOADS ? [] : [`${from} → ${to}`];
      }),
    );
    const pairs = Array.from(uses, (use) => use.split(' → ')).filter(
      ([from = '', to = '']) => from < to && uses.has(`${to} → ${from}`),
    );
    expect(uses.size).toBeGreaterThan(0);
    expect(pairs.map((pair) => pair.join(' ↔ ')).toSorted()).toEqual(FOLDERS_IN_BOTH_DIRECTIONS);
  });
});

describe('the portal', () => {
  const screens = sourceFiles().filter((file) => /^apps\/portal\/src\/(parts|routes)\/.*(?<!\.test)\.tsx?$/.test(file));

  it('calls the API, and knows the keys of queries, only in api/', () => {
    const wrong = imports.filter(
      ({ file, name }) => screens.includes(file) && /^@mailstead\/client|\/api\/(client|keys)\.js$/.test(name),
    );
    expect(screens.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('makes changes only by those that api/ declares with what they make old', () => {
    const wrong = screens.flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const found =
        /\bfetch\(|\bapi\.[A-Z]+\(|\b(queryKey|useMutation|useQueryClient|invalidateQueries)\b|\btouches:/.exec(text);
      return found === null ? [] : [`${file}: ${found[0]}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('the modules', () => {
  it('do not import values of each other in a circle', () => {
    const files = sourceFiles();
    const uses = new Map(files.map((file): [string, string[]] => [file, []]));
    for (const { file, name, isOfValue } of imports) {
      if (isOfValue && name.startsWith('.')) uses.get(file)?.push(fileOf(file, name));
    }
    // Without what imports nothing that is left, or is imported by nothing that is left, only circles are left.
    for (let before = 0; before !== uses.size; ) {
      before = uses.size;
      const imported = new Set(Array.from(uses.values()).flat());
      for (const [file, used] of uses) {
        if (!imported.has(file) || !used.some((other) => uses.has(other))) uses.delete(file);
      }
    }
    expect([...uses.keys()]).toEqual([]);
  });

  it('of jobs that every folder may import, import no other folder', () => {
    const reached = new Set([PAYLOADS]);
    for (const reader of reached) {
      for (const { file, name } of imports)
        if (file === reader && name.startsWith('.')) reached.add(fileOf(file, name));
    }
    expect([...new Set([...reached].map(folderOf))].toSorted()).toEqual(['.', 'jobs']);
  });
});

describe('the tests', () => {
  it('wait with `until`, and not in a loop that takes the processor from what they wait for', () => {
    const loop = /while \(.*\) await (new Promise.*(setImmediate|setTimeout)|nextTurn|setImmediate|setTimeout|delay)\b/;
    const spinning = sourceFiles().filter((file) => isTest(file) && loop.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(spinning).toEqual([]);
  });
});

describe('the files', () => {
  it(`have at most ${MAX_LINES} lines, including tests and scripts`, () => {
    const scripts = readdirSync(join(ROOT, 'scripts')).map((name) => `scripts/${name}`);
    // A command writes the JSON.
    const files = [...sourceFiles(), ...scripts.filter((file) => !file.endsWith('.json'))];
    const longer = files.filter(
      (file) =>
        !file.includes('/generated/') && readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 > MAX_LINES,
    );
    expect(longer).toEqual(LONGER_FILES);
  });
});

function sourceFiles(): string[] {
  return Object.keys(LAYERS).flatMap((folder) =>
    readdirSync(join(ROOT, folder, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
}

/** The folder of a file of the core, relative to its root. */
function folderOf(file: string): string {
  const [folder = '', ...rest] = file.slice(CORE.length).split('/');
  return rest.length === 0 ? '.' : folder;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(
    /^\s*(?:import|export)\b([^'"]*?)from\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return Array.from(found, ([, what = '', ...names]) => {
    const isOfType = /^\s*type\b|^\s*\{(\s*type [^,}]+,?)+\s*\}/.test(what);
    return { file, name: names.find((name) => name !== undefined) ?? '', isOfValue: !isOfType };
  });
}

/** The file that a relative import names. */
function fileOf(file: string, name: string): string {
  const path = relative(ROOT, resolve(ROOT, dirname(file), name));
  return path.replace(/\.jsx?$/, existsSync(join(ROOT, path.replace(/\.jsx?$/, '.tsx'))) ? '.tsx' : '.ts');
}

function layersOf(file: string): string[] {
  const folder = file.split('/').slice(0, 2).join('/');
  return [...(LAYERS[folder] ?? []), ...(isTest(file) ? (LAYERS_OF_TESTS[folder] ?? []) : [])];
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/testing/');
}
