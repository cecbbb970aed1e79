// @ts-check
import { jestCommand, runsWholeFiles } from './jest-command.mjs';

describe('the command of a test run', () => {
  it('has the given options at the end, so that they override the defaults', () => {
    expect(jestCommand(['-t', 'quota', 'mailboxes'], '/tmp/r.json').slice(-3)).toEqual(['-t', 'quota', 'mailboxes']);
  });

  it('runs at least two workers, or as many as are asked for', () => {
    const [usual, asked] = [jestCommand([], '/tmp/r.json'), jestCommand([], '/tmp/r.json', 7)].map((command) =>
      Number(command.find((argument) => argument.startsWith('--maxWorkers='))?.split('=')[1]),
    );
    expect(usual).toBeGreaterThanOrEqual(2);
    expect(asked).toBe(7);
  });

  it.each([['--maxWorkers=1'], ['-w1'], ['-i'], ['--runInBand']])('leaves the workers to %s', (option) => {
    const chosen = jestCommand([option], '/tmp/r.json').filter((argument) => /^(-w|-i|--maxW|--runI)/.test(argument));
    expect(chosen).toEqual([option]);
  });
});

describe('a run of whole test files', () => {
  it.each([
    [[]],
    [['apps/api/src/plans']],
    [['-i', '--verbose', '-w', '2', 'scripts/start.test.mjs']],
    [['--maxWorkers=2']],
  ])('has only options that choose no tests: %j', (options) => {
    expect(runsWholeFiles(options)).toBe(true);
  });

  it.each([
    ['-t'],
    ['--testNamePattern=x'],
    ['--shard=1/2'],
    ['--bail'],
    ['--changedSince=main'],
    ['-o'],
    ['--listTests'],
  ])('does not have %s', (option) => {
    expect(runsWholeFiles(['apps/api', option])).toBe(false);
  });
});
