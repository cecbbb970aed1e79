// @ts-check
import { testOptions } from './test-options.mjs';

const GROUPS = ['mail', 'api', 'nodes'];

describe('the options of a test run', () => {
  it('run every group of the slow tests when they choose none', () => {
    expect(testOptions(['--slow'], GROUPS)).toMatchObject({ groups: GROUPS, jestOptions: [], again: false });
    expect(testOptions(['--slow', '--again'], GROUPS)).toMatchObject({ groups: GROUPS, again: true });
  });

  it('name groups, and the commit since which changes count', () => {
    const options = testOptions(['--slow', 'nodes', '--since', 'mail', 'api'], GROUPS);
    expect(options).toMatchObject({ groups: ['nodes', 'api'], since: 'mail', jestOptions: [] });
  });

  it('leave the choice to jest when they have an option of jest', () => {
    const options = testOptions(['--slow', 'packages/adapters', '-t', 'locks'], GROUPS);
    expect(options).toMatchObject({ groups: [], jestOptions: ['packages/adapters', '-t', 'locks'] });
  });

  it('take the name of a group for a path when the tests are not the slow ones', () => {
    expect(testOptions(['mail', '--mariadb'], GROUPS)).toMatchObject({
      slow: false,
      mariadb: true,
      groups: [],
      jestOptions: ['mail'],
    });
  });

  it.each([
    [['--slow', 'mail', '-t', 'locks'], 'give no other options'],
    [['--slow', '--again', '--mariadb'], 'give no other options'],
    [['--slow', '--since', 'main', '--changed'], 'give no other options'],
    [['--slow', '--since'], 'needs a commit'],
    [['--since', 'main'], 'npm run test:slow'],
    [['--again'], 'npm run test:slow'],
  ])('are refused when they contradict each other: %j', (given, reason) => {
    expect(() => testOptions(given, GROUPS)).toThrow(reason);
  });
});
