/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/** The tests that take minutes: `npm test` leaves them out, `npm run test:slow` runs only them. */
const SLOW_TESTS = '\\.slow\\.test\\.ts$';
const isSlowRun = process.env.MAILSTEAD_TESTS === 'slow';

const config: Config = {
  testEnvironment: 'node',
  // Workspace packages resolve to their sources, so that tests need no build.
  testEnvironmentOptions: { customExportConditions: ['mailstead-source', 'node', 'node-addons'] },
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/scripts'],
  ...(isSlowRun
    ? { testRegex: SLOW_TESTS }
    : {
        testMatch: ['**/src/**/*.test.ts', '<rootDir>/scripts/*.test.mjs'],
        testPathIgnorePatterns: ['/node_modules/', SLOW_TESTS],
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
            decoratorMetadata: true,
            useDefineForClassFields: false,
          },
        },
      },
    ],
  },
  testTimeout: isSlowRun ? 900_000 : 120_000,
};

export default config;
