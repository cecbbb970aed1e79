// @ts-check
import { changelogFaults, isNewer } from './release-checks.mjs';

const READY = '# Changelog\n\n## [Unreleased]\n\n## [5.2.0] - 2026-11-23\n\n### Added\n\n- A thing.\n';

describe('the changelog of a release', () => {
  it('is ready when all that waited is under the version and its day', () => {
    expect(changelogFaults(READY, '5.2.0')).toEqual([]);
  });

  it.each([
    [READY.replace('[Unreleased]\n', '[Unreleased]\n\n- Not told.\n'), /1 lines under \[Unreleased\]/],
    [READY.replace('5.2.0', '5.1.9'), /not \[5\.2\.0\]/],
    [READY.replace('2026-11-23', '2026-13-41'), /is no day/],
    [READY.replace('2026-11-23', '2026-02-30'), /2026-02-30 is no day/],
    [READY.replace(' - 2026-11-23', ''), /not \[5\.2\.0\] - <day>/],
    [READY.replace(/### Added[^]*/, ''), /says nothing/],
    [READY.replace('- A thing.', ''), /says nothing/],
    [READY.replace('## [Unreleased]\n\n', ''), /does not begin/],
  ])('is not ready otherwise: %#', (text, expected) => {
    expect(changelogFaults(text, '5.2.0').join('\n')).toMatch(expected);
  });
});

it('a version is above another one by its numbers, not by its letters', () => {
  expect([isNewer('5.10.0', '5.9.9'), isNewer('5.2.0', '5.2.0'), isNewer('5.1.9', '5.2.0')]).toEqual([
    true,
    false,
    false,
  ]);
});
