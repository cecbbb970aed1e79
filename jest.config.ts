/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const isSlowRun = process.env.MAILSTEAD_TESTS === 'slow';

const config = async (): Promise<Config> => {
  // Imported here, because esbuild-register makes `require` of an import at the top, which loads no ES module.
  const { SLOW_TESTS, TESTS_OF_SLOW_RUN } = await import('./scripts/test-kinds.mjs');
  const { TEST_TIMEOUT_MS } = await import('./scripts/test-timeout.mjs');
  return {
    testEnvironment: '<rootDir>/scripts/shared-environment.cjs',
    runtime: '<rootDir>/scripts/shared-runtime.cjs',
    // Workspace packages resolve to their sources, so that tests need no build.
    testEnvironmentOptions: { customExportConditions: ['mailstead-source', 'node', 'node-addons'] },
    // Not in the folder for temporary files, which `npm test` makes anew.
    cacheDirectory: '<rootDir>/.npm-test/jest',
    roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/scripts'],
    ...(isSlowRun
      ? { testRegex: TESTS_OF_SLOW_RUN.source }
      : {
          testMatch: ['**/src/**/*.test.ts', '<rootDir>/scripts/*.test.mjs'],
          testPathIgnorePatterns: ['/node_modules/', SLOW_TESTS.source],
        }),
    extensionsToTreatAsEsm: ['.ts'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    transform: {
      '^.+\\.ts$': [
        '@swc/jest',
        {
          swcrc: false,
          sourceMaps: 'inline',
          module: { type: 'es6' },
          jsc: {
            target: 'es2022',
            keepClassNames: true,
            parser: { syntax: 'typescript', decorators: true },
            transform: {
              legacyDecorator: true,
              useDefineForClassFields: false,
            },
          },
        },
      ],
    },
    dependencyExtractor: '<rootDir>/scripts/test-dependencies.mjs',
    testRunner: '<rootDir>/scripts/timed-runner.mjs',
    testSequencer: '<rootDir>/scripts/longest-first.mjs',
    testTimeout: TEST_TIMEOUT_MS,
    setupFiles: ['<rootDir>/packages/core/src/testing/patient-deadlines.ts'],
    // Node 20 keeps the modules of a test file, 1 to 3 MB.
    workerIdleMemoryLimit: '1500MB',
    // Node 24 frees the modules at the end, in 0.5 to 1 s, longer than jest's default of 0.5 s. A worker with an open
    // handle is still reported.
    workerGracefulExitTimeout: 10_000,
  };
};

export default config;
