import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SOFTWARE_VERSION } from '@mailstead/core/software-version';
import { formerRelease } from '@mailstead/core/testing/former-releases';
import { migrationNumbers } from './migrations.js';

const CHANGELOG = readFileSync(fileURLToPath(new URL('../../../../../CHANGELOG.md', import.meta.url)), 'utf8');

/** The sections of the changelog by version. */
const sections = new Map(
  CHANGELOG.split(/^## /m)
    .slice(1)
    .map((section) => [/^\[([^\]]+)\]/.exec(section)?.[1] ?? '', section]),
);
const ofFormer = new Set(JSON.parse(formerRelease().file('migrations.json').toString()) as number[]);

describe('the changelog', () => {
  it('names each migration since the last release by its number, with what it does, and no other', () => {
    const section = [sections.get('Unreleased'), sections.get(SOFTWARE_VERSION)].join('\n');
    const named = Array.from(section.matchAll(/^- `(\d{13})`: \S/gm), ([, number]) => Number(number));
    const made = migrationNumbers().filter((number) => !ofFormer.has(number));
    expect(named.sort((left, right) => left - right)).toEqual([...new Set(made)]);
  });

  it('the migrations of the last release are all there, and no new one has a number among theirs', () => {
    const numbers = migrationNumbers();
    const last = Math.max(...ofFormer);
    expect(ofFormer.size).toBeGreaterThan(0);
    expect(new Set(numbers.filter((number) => number <= last))).toEqual(ofFormer);
  });

  it('has a section with a day for this release and for each one before it, the newest first', () => {
    const headings = Array.from(CHANGELOG.matchAll(/^## (.*)$/gm), ([, heading]) => heading ?? '');
    expect(headings[0]).toBe('[Unreleased]');
    expect(headings.slice(1).every((heading) => /^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(heading))).toBe(true);
    expect(headings[1]).toContain(`[${SOFTWARE_VERSION}]`);
    expect([...sections.keys()]).toEqual(expect.arrayContaining([formerRelease().version, '5.0.0']));
  });
});
