import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Child } from '@mailstead/core/testing/child';
import { freePort } from '../../../../scripts/free-port.mjs';
import { describeWith } from '../../../../scripts/needed-programs.mjs';
import { ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const RULES = join(ROOT, 'integrations/prometheus/mailstead.rules.yml');
const RULE_TESTS = join(ROOT, 'integrations/prometheus/mailstead.test.yml');
const DASHBOARDS = join(ROOT, 'integrations/grafana');
const BILLING_TOKEN = 'billing-token-of-the-watching-0123456789';
const POLICY_TOKEN = 'policy-token-of-the-watching-0123456789';
const METRICS_TOKEN = 'metrics-token-of-the-watching-0123456789';
/** Prometheus makes the first two itself, and its node exporter the third one, for the file of a mail server. */
const OF_PROMETHEUS = ['up', 'ALERTS', 'node_textfile_mtime_seconds'];
/** Words of an expression that are no metrics. */
const WORDS = new Set(['and', 'or', 'unless', 'offset']);
/** Only on a Galera cluster, and only with Redis; `service-metrics.test.ts` finds them there. */
const OF_OTHER_PLATFORMS = ['mailstead_database_writer_nodes', 'mailstead_workers'];

const runProgram = promisify(execFile);

/** A mail server writes the same file. Without an instance of Postfix it has no values. */
const WRITE_QUEUES = `
  const { writeQueueMetrics } = await import(process.argv[1]);
  await writeQueueMetrics([], process.argv[2], { instance: 'none', most: 1 });
`;
const QUEUE_METRICS = join(ROOT, 'packages/mail-stack/dist/queues/queue-metrics.js');

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

async function expressionsOfDashboards(): Promise<string[]> {
  const files = (await readdir(DASHBOARDS)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(join(DASHBOARDS, name), 'utf8')));
  const panels = texts.flatMap((text) => (JSON.parse(text) as { panels: Panel[] }).panels);
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

async function expressionsOfRules(): Promise<string[]> {
  const rules = await readFile(RULES, 'utf8');
  return [...rules.matchAll(/^ +expr: '(.*)'$/gm)].map(([, quoted = '']) => quoted.replaceAll("''", "'"));
}

/** The metrics in an expression: each name that no bracket follows, outside of matchers, ranges and lists of labels. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(by|on|group_left) \([^)]*\)|"[^"]*"/g, ' ');
  return [...bare.matchAll(/\b[a-z][a-zA-Z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name));
}

/** The names of all series in the text of `/metrics`: a histogram has three for its one type. */
function seriesOf(text: string): string[] {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return types.flatMap(([, name = '', type]) =>
    type === 'histogram' || type === 'summary' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}

describe('the dashboard and the alert rules', () => {
  const services = new ChildServices();
  const children: Child[] = [];
  const texts: Record<string, string> = {};

  async function startWatched(app: 'policyd' | 'billing', environment: Record<string, string>): Promise<void> {
    const port = await freePort();
    const child = new Child(app, { METRICS_LISTEN: `127.0.0.1:${port}`, ...environment });
    children.push(child);
    await child.said('listening');
    texts[app] = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  }

  /** The API without Redis is its own worker, so that it has the series of both. */
  async function watchApi({ url }: ChildService): Promise<void> {
    const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(response.status).toBe(200);
    texts.api = await response.text();
  }

  async function readQueues(file: string): Promise<void> {
    await runProgram(process.execPath, ['--input-type=module', '-e', WRITE_QUEUES, QUEUE_METRICS, file]);
    texts['mail server'] = await readFile(file, 'utf8');
  }

  beforeAll(async () => {
    const environment: Record<string, string> = {
      ...(await services.environment('sqlite')),
      METRICS_TOKEN,
      OPERATOR_TOKENS: `policyd:policy:${POLICY_TOKEN},shop:billing:${BILLING_TOKEN}`,
    };
    const api = await services.start(environment);
    const dataDir = environment.DATA_DIR ?? '';
    await Promise.all([
      watchApi(api),
      startWatched('policyd', {
        MAILSTEAD_URL: api.url,
        POLICY_TOKEN,
        POLICY_LISTEN: `127.0.0.1:${await freePort()}`,
        MILTER_LISTEN: `127.0.0.1:${await freePort()}`,
        LOGINS_LISTEN: 'off',
        POLICYD_DATA_DIR: join(dataDir, 'policyd'),
      }),
      startWatched('billing', {
        MAILSTEAD_URL: api.url,
        BILLING_TOKEN,
        BILLING_PORT: String(await freePort()),
        BILLING_DATA_DIR: join(dataDir, 'billing'),
        STRIPE_API_KEY: 'sk_test_watching',
        STRIPE_WEBHOOK_SECRET: 'whsec_watching',
        STRIPE_API_BASE: `http://127.0.0.1:${await freePort()}`,
      }),
      readQueues(join(dataDir, 'queues.prom')),
    ]);
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => child.end('SIGKILL')));
    await services.end();
  });

  it('name only metrics that /metrics of the API, worker, policy daemon or billing has, or the file of a mail server', async () => {
    const known = new Set([...Object.values(texts).flatMap(seriesOf), ...OF_PROMETHEUS, ...OF_OTHER_PLATFORMS]);
    const expressions = [...(await expressionsOfDashboards()), ...(await expressionsOfRules())];
    const named = new Set(expressions.flatMap(metricsIn));
    expect(named.size).toBeGreaterThan(40);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('leave out no metric of Mailstead', async () => {
    const expressions = [...(await expressionsOfDashboards()), ...(await expressionsOfRules())].join('\n');
    const own = new Set(
      Object.values(texts).flatMap((text) => [...text.matchAll(/^# TYPE (mailstead_\S+) /gm)].map(([, name]) => name)),
    );
    expect([...own, ...OF_OTHER_PLATFORMS].filter((name) => !expressions.includes(name ?? ''))).toEqual([]);
  });

  it('of which each metric is in the table of docs/operations.md', async () => {
    const page = await readFile(join(ROOT, 'docs/operations.md'), 'utf8');
    const own = new Set(
      Object.values(texts).flatMap((text) => [...text.matchAll(/^# TYPE (mailstead_\S+) /gm)].map(([, name]) => name)),
    );
    expect([...own, ...OF_OTHER_PLATFORMS].filter((name) => !new RegExp(`^\\|.*\`${name}\``, 'm').test(page))).toEqual(
      [],
    );
  });
});

describe('the alert rules', () => {
  it('each have a meaning, an action, a severity, and a test that fires and silences them', async () => {
    const rules = (await readFile(RULES, 'utf8')).split(/^ +- alert: /m).slice(1);
    const tests = (await readFile(RULE_TESTS, 'utf8')).split(/^ {2}- name: /m).slice(1);
    const names = rules.map((rule) => rule.split('\n', 1)[0] ?? '');
    expect(names.length).toBeGreaterThan(25);
    expect(tests.map((test) => test.split('\n', 1)[0])).toEqual(names);
    for (const rule of rules) {
      expect(rule).toMatch(/^ {10}severity: (critical|warning)$/m);
      expect(rule).toMatch(/^ {10}meaning: '.{30,}'$/m);
      expect(rule).toMatch(/^ {10}action: '.{30,}'$/m);
    }
    for (const [index, test] of tests.entries()) {
      expect(test.match(/exp_samples:\n +- labels: '\{alertname="(\w+)"\}'/)?.[1]).toBe(names[index]);
      expect(test).toContain('exp_samples: []');
    }
  });
});

describe('the texts of the alert rules', () => {
  const texts = async () =>
    [...(await readFile(RULES, 'utf8')).matchAll(/^ +(?:meaning|action): '(.*)'$/gm)]
      .map(([, text = '']) => text)
      .join('\n');

  it('name pages and sections that exist', async () => {
    const named = [...(await texts()).matchAll(/\b(docs\/[a-z0-9/-]+\.md)(?:, ([A-Z][a-z ]+\w))?/g)];
    expect(named.length).toBeGreaterThan(15);
    for (const [, path = '', section = ''] of named) {
      const headings = (await readFile(join(ROOT, path), 'utf8'))
        .match(/^#+ .*$/gm)
        ?.map((line) => line.replace(/^#+ /, ''));
      expect(section === '' || headings?.includes(section) ? [] : [path, section]).toEqual([]);
    }
  });

  it('name codes, parameters and fields that the sources have', async () => {
    const words = new Set((await texts()).match(/\b(?!mailstead_)[a-z]+(?:_[a-z]+)+\b/g));
    const folders = ['packages/core/src', 'apps/api/src', 'apps/billing/src'].map((path) => join(ROOT, path));
    const files = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
    const sources = files.flat().filter(({ name }) => /(?<!\.test)\.ts$/.test(name));
    const read = await Promise.all(sources.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
    const all = read.join('\n');
    expect(words.size).toBeGreaterThan(5);
    expect([...words].filter((word) => !all.includes(word))).toEqual([]);
  });
});

const describePromtool = await describeWith('the alert rules');

describePromtool('promtool', () => {
  it('accepts the rules', async () => {
    const checked = await runProgram('promtool', ['check', 'rules', RULES]);
    expect(checked.stdout).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('understands every expression of the dashboard', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    const expressions = (await expressionsOfDashboards()).map((expression) =>
      expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)/g, '.*'),
    );
    const rules = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
    // JSON is YAML.
    await writeFile(join(folder, 'panels.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    try {
      const { stdout } = await runProgram('promtool', ['check', 'rules', join(folder, 'panels.yml')]);
      expect(stdout).toContain(`SUCCESS: ${expressions.length} rules found`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
