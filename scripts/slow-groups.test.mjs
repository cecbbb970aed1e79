// @ts-check
import { FILES } from './repository-paths.mjs';
import { filesReachedBy, GROUPS } from './slow-groups.mjs';
import { TESTS_OF_SLOW_RUN } from './test-kinds.mjs';

const API = 'apps/api/src/failure/galera.slow.test.ts';
const README = 'apps/api/src/whole/readme.slow.test.ts';
const CLUSTER = 'packages/bench/src/cluster/cluster.slow.test.ts';

describe('the groups of the slow tests', () => {
  it('have every slow test once', () => {
    const files = GROUPS.filter(({ tests }) => tests === 'slow').flatMap((group) => group.files);
    expect([...files].sort()).toEqual(FILES.filter((file) => TESTS_OF_SLOW_RUN.test(file)).sort());
  });

  it('have the HTTP tests that are not slow, and only those', () => {
    const files = GROUPS.find(({ name }) => name === 'http-on-mariadb')?.files;
    expect(files).toContain('apps/api/src/http/http.test.ts');
    expect(files).not.toContain(API);
  });
});

describe('the tests that a change reaches', () => {
  it('are those of the workspaces that it reaches', () => {
    expect(filesReachedBy([API, CLUSTER], ['apps/portal/src/home.tsx'])).toEqual([API]);
    expect(filesReachedBy([API, CLUSTER], ['packages/core/src/batcher.ts'])).toEqual([API, CLUSTER]);
  });

  it('are those that read documents, when a document changed', () => {
    expect(filesReachedBy([API, README], ['docs/scaling.md'])).toEqual([README]);
  });
});
