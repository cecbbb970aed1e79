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
const lastOfFormer = Number(/up to the step \w*?(\d{13})\b/.exec(formerRelease().file('mysql.sql').toString())?.[1]);

describe('the changelog', () => {
  it('names each migration since the last release by its number, with what it does, and no other', () => {
    const section = [sections.get('Unreleased'), sections.get(SOFTWARE_VERSION)].join('\n');
    const named = Array.from(section.matchAll(/^- `(\d{13})`: \S/gm), ([, number]) => Number(number));
    const made = migrationNumbers().filter((number) => number > lastOfFormer);
    expect(lastOfFormer).toBeGreaterThan(0);
    expect(named.sort((left, right) => left - right)).toEqual([...new Set(made)]);
  });

  it('has a section with a day for this release and for each one before it, the newest first', () => {
    const headings = Array.from(CHANGELOG.matchAll(/^## (.*)$/gm), ([, heading]) => heading ?? '');
    expect(headings[0]).toBe('[Unreleased]');
    expect(headings.slice(1).every((heading) => /^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(heading))).toBe(true);
    expect(headings[1]).toContain(`[${SOFTWARE_VERSION}]`);
    expect([...sections.keys()]).toEqual(expect.arrayContaining([formerRelease().version, '5.0.0']));
  });
});
