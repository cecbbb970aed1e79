import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATABASE_KINDS } from '@mailstead/adapters/database/testing/database-fixture';
import { SOFTWARE_VERSION } from '@mailstead/core/software-version';
import { formerRelease } from '@mailstead/core/testing/former-releases';
import supertest from 'supertest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { Browser } from '../testing/browser.js';
import type { ChildService } from '../testing/child-service.js';
import { ChildServices, namesOf } from '../testing/child-services.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FORMER = formerRelease();
const DOMAINS = 40;
const CALLERS = 4;
const MOST_TRIES = 20;

const hasCommit = (() => {
  try {
    execFileSync('git', ['cat-file', '-e', `${FORMER.commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Builds the commit of the former release with the present packages of others. @returns the folder */
function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-former-'));
  execFileSync('sh', ['-c', `git archive ${FORMER.commit} | tar -x -C "$0"`, folder], { cwd: ROOT });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@mailstead'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@mailstead') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(folder, group))) {
      symlinkSync(join(folder, group, name), join(modules, '@mailstead', name));
    }
  }
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'apps/api'], { cwd: folder, stdio: 'pipe' });
  return folder;
}

/** Creates, reads, changes and deletes on each process in turn what another one made. @returns what was not right */
async function load(processes: readonly [ChildService, ...ChildService[]], round: string): Promise<string[]> {
  const faults: string[] = [];
  const on = (index: number) => processes[index % processes.length] ?? processes[0];
  const expectStatus = async (index: number, method: string, path: string, wanted: number, body?: unknown) => {
    let { status, body: answer } = await on(index).call(method, path, body);
    // A busy machine: nothing was done, and the same request may be sent again.
    for (let tries = 1; status === 503 && answer.code === 'busy' && tries < MOST_TRIES; tries += 1) {
      ({ status, body: answer } = await on(index).call(method, path, body));
    }
    if (status !== wanted) faults.push(`${on(index).url} ${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  };
  let next = 0;
  const caller = async () => {
    for (let index = next++; index < DOMAINS; index = next++) {
      const name = `d${index}.${round}.example`;
      await expectStatus(index, 'POST', '/domains/', 201, { name, partner_ref: 'acme' });
      await expectStatus(index + 1, 'POST', '/users/', 201, {
        email: `a@${name}`,
        password: `Xk9-${round}-w72-${name}`,
      });
      await expectStatus(index, 'POST', '/aliases/', 201, { address: `b@${name}`, destination: `a@${name}` });
      await expectStatus(index + 1, 'PUT', `/domains/${name}/suspend`, 200, {});
      await expectStatus(index, 'PUT', `/domains/${name}/activate`, 200, {});
      await expectStatus(index + 1, 'GET', `/users/a@${name}`, 200);
      const items = [
        { domain: name, sender: `a@${name}`, recipients: ['x@elsewhere.example'], bytes: 9, id: `m-${name}` },
      ];
      await expectStatus(index, 'POST', '/outbound/increments', 200, { items });
      await expectStatus(index + 1, 'POST', '/outbound/increments', 200, { items });
      if (index % 4 === 0) await expectStatus(index + 1, 'DELETE', `/domains/${name}`, 204);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return faults;
}

interface Job {
  name: string;
  schedule: string | null;
  last_run: { period: string; outcome: string; ended_at: string | null } | null;
  failed: object[];
}

/** Runs each schedule. @returns those that failed, and the jobs of any kind that did */
async function failedAfterRuns(service: ChildService): Promise<Job[]> {
  const jobs = async () => (await service.call('GET', '/jobs')).body as unknown as Job[];
  const schedules = (await jobs()).filter(({ schedule }) => schedule !== null).map(({ name }) => name);
  expect(schedules).toContain('housekeeping');
  for (const name of schedules) expect(await service.call('POST', `/jobs/${name}/run`)).toMatchObject({ status: 202 });
  const isEnded = ({ schedule, last_run }: Job) =>
    schedule === null || (last_run?.period === 'manual' && last_run.ended_at !== null);
  await service.until(async () => (await jobs()).every((job) => isEnded(job) || job.failed.length > 0));
  return (await jobs()).filter(({ last_run, failed }) => last_run?.outcome === 'failed' || failed.length > 0);
}

/** What programs and people keep over an update: a key, a session, a link and a request that they send again. */
interface Kept {
  key: string;
  domain: string;
  browser: Browser;
  code: string;
}

const create = (url: string, { key, domain }: Pick<Kept, 'key' | 'domain'>) =>
  supertest(url).post('/domains/').auth(key, { type: 'bearer' }).set('Idempotency-Key', domain).send({ name: domain });

async function make(service: ChildService, partner: string): Promise<Kept> {
  const [key, domain] = [`key-of-${partner}-0123456789012345678901234567`, `${partner}.example`];
  expect(await service.call('POST', '/api-keys/', { token: key, partner_ref: partner })).toMatchObject({ status: 201 });
  await create(service.url, { key, domain }).expect(201);
  const browser = new Browser(service.url);
  expect(await browser.enter(key)).toMatchObject({ status: 201 });
  const link = await service.call('POST', '/portal-links', { domain, scope: 'manage' }, key);
  return { key, domain, browser, code: /#code=(.+)$/.exec(String(link.body.url))?.[1] ?? '' };
}

/** Uses at one release what the other one made. */
async function use(service: ChildService, { key, domain, browser, code }: Kept): Promise<void> {
  const repeated = await create(service.url, { key, domain }).expect(201);
  expect(repeated.headers['idempotent-replayed']).toBe('true');
  const elsewhere = Object.assign(new Browser(service.url), browser, { url: service.url });
  await elsewhere.send('put', `/domains/${domain}/suspend`).expect(200);
  await elsewhere.send('put', `/domains/${domain}/activate`).expect(200);
  expect(await new Browser(service.url).enter(null, { code })).toMatchObject({ status: 201 });
}

const describeBuild = hasCommit ? describe : describe.skip;

describeBuild(
  `the real build of release ${FORMER.version} beside this one (skipped where git has no commit ${FORMER.commit.slice(0, 12)})`,
  () => {
    const services = new ChildServices();
    let folder = '';

    beforeAll(() => {
      folder = build();
    });
    afterAll(async () => {
      await services.end();
      rmSync(folder, { recursive: true, force: true });
    });

    it('serves one MariaDB together with it under load, and alone again after it, with all its schedules', async () => {
      const environment = await services.environment('mariadb');
      const startFormer = async () => services.start({ ...environment, PORT: String(await freePort()) }, `${folder}/`);
      const former = await startFormer();
      expect(await load([former], 'one')).toEqual([]);
      const own = await services.start({ ...environment, PORT: String(await freePort()) });
      expect(await (await fetch(`${own.url}/health`)).json()).toMatchObject({ version: SOFTWARE_VERSION });
      expect(await load([former, own], 'two')).toEqual([]);
      const restarted = await startFormer();
      expect(await load([restarted, own, former], 'three')).toEqual([]);
      expect((await namesOf(former)).sort()).toEqual((await namesOf(own)).sort());
      await own.end('SIGTERM');
      expect(await load([former, restarted], 'four')).toEqual([]);
      expect(await namesOf(former)).toHaveLength(4 * DOMAINS * 0.75);
      expect(await failedAfterRuns(former)).toEqual([]);
    });

    it.each(DATABASE_KINDS)(
      'takes the keys, sessions, links and repeated requests of the other one, before, after and back, on %s',
      async (kind) => {
        const environment = await services.environment(kind);
        let last: ChildService | null = null;
        const start = async (root?: string) => {
          // An embedded database has one process.
          if (kind === 'sqlite') await last?.end('SIGTERM');
          last = await services.start({ ...environment, PORT: String(await freePort()) }, root);
          return last;
        };
        const before = await make(await start(`${folder}/`), 'before');
        const own = await start();
        await use(own, before);
        const after = await make(own, 'after');
        await use(await start(`${folder}/`), after);
      },
    );
  },
);
