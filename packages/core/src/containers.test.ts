import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

interface Service {
  build?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  volumes?: string[];
  ports?: string[];
  environment?: Record<string, string | number | null>;
}

/** The variables that the packages of the AWS SDK read to find credentials; a new version may read more. */
function credentialVariables(): string[] {
  const texts = ['node_modules/@aws-sdk/', 'node_modules/@smithy/'].flatMap((scope) =>
    readdirSync(ROOT + scope)
      .filter((name) => name.startsWith('credential-provider-'))
      .flatMap((name) => {
        const folder = `${scope}${name}/dist-cjs/`;
        return readdirSync(ROOT + folder).map((file) => textOf(folder + file));
      }),
  );
  const read = texts.flatMap((text) => text.match(/\bAWS_[A-Z0-9_]+/g) ?? []);
  // The package that reads the two files reads much else.
  return [...new Set([...read, 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'])].toSorted();
}

const { services } = parse(textOf('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
/** Those that run the image of this repository. */
const own = Object.entries(services).filter(([, { build }]) => build !== undefined);

describe('docker-compose.yml', () => {
  it('runs each of the four processes', () => {
    expect(own.map(([name]) => name).sort()).toEqual(['api', 'billing', 'policyd', 'worker']);
  });

  it.each(own)(
    'gives %s a read-only root, no capability, no new privileges, and limits of memory and processes',
    (_, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\$\{PROCESS_MEMORY:-\d+[mg]\}$/),
      });
      expect(service.pids_limit).toBeGreaterThan(50);
      expect(service.pids_limit).toBeLessThanOrEqual(500);
      // What is written is in a volume, or in memory.
      expect(service.volumes).toEqual([expect.stringMatching(/^(data|billing):\/data$/)]);
      expect(service.tmpfs).toEqual([expect.stringMatching(/^\/tmp:size=\d+m/)]);
    },
  );

  it.each(['api', 'worker'])(
    'gives %s each variable that the AWS SDK reads to find credentials, only when it is set',
    (name) => {
      const given = services[name]?.environment ?? {};
      const variables = credentialVariables();
      expect(variables).toEqual(expect.arrayContaining(['AWS_SESSION_TOKEN', 'AWS_WEB_IDENTITY_TOKEN_FILE']));
      // Null: Compose leaves a variable out that is not set.
      expect(variables.filter((variable) => given[variable] !== null)).toEqual([]);
    },
  );

  it.each(['policyd', 'billing'])('gives %s, which does not call AWS, none of its credentials', (name) => {
    expect(Object.keys(services[name]?.environment ?? {}).filter((variable) => variable.startsWith('AWS_'))).toEqual(
      [],
    );
  });

  it('publishes every port on loopback only', () => {
    const ports = Object.values(services).flatMap(({ ports: published = [] }) => published);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});

describe('the image', () => {
  const [, last = ''] =
    textOf('Dockerfile')
      .split(/^FROM .* AS build$/m)
      .at(-1)
      ?.split(/^FROM /m) ?? [];
  const copied = [...last.matchAll(/^COPY --from=build \/app\/(\S+) (\S+)$/gm)].map(([, from = '', to = '']) => ({
    from,
    to,
  }));

  it('gets only built files, the data that they read, and the packages that they need: no sources and no tests', () => {
    expect(last.match(/^COPY/gm)).toHaveLength(copied.length);
    const allowed =
      /^(package\.json|node_modules|docs|scripts\/[a-z-]+\.[cm]js|tools\/no-phone-numbers|(packages|apps)\/[a-z-]+\/(package\.json|dist(\/page)?|schema|templates|settings\.example\.json))$/;
    expect(copied.map(({ from }) => from).filter((from) => !allowed.test(from))).toEqual([]);
  });

  it('has each file at its place in the repository', () => {
    const moved = copied.filter(({ from, to }) => {
      const place = to.replace(/^\.\//, '');
      return (
        from !== place && !(place === '' || place.endsWith('/') ? `${place}${from.split('/').at(-1)}` === from : false)
      );
    });
    expect(moved).toEqual([]);
  });

  it('is built without recorded releases, tests and what runs beside it', () => {
    const left = textOf('.dockerignore').split('\n');
    expect(left).toEqual(
      expect.arrayContaining(['releases', 'integrations', '**/*.test.ts', '**/testing', '.git', '.env']),
    );
  });

  it('does not run as root', () => {
    expect(last).toMatch(/^USER node$/m);
  });
});
