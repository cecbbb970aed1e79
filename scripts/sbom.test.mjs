// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';

it('npm run sbom writes a valid bill of materials that has the production dependencies, and not those of tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-'));
  const file = join(folder, 'sbom.cdx.json');
  try {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const [program, ...args] = scripts.sbom.split(' ');
    // Compares the result with the schema of CycloneDX, and fails when it does not match.
    execFileSync(program, [...args, file], { cwd: ROOT, stdio: 'pipe' });
    const { bomFormat, specVersion, metadata, components } = JSON.parse(readFileSync(file, 'utf8'));
    expect({ bomFormat, specVersion, name: metadata.component.name }).toEqual({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      name: 'mailstead',
    });
    const names = components.map((/** @type {{ name: string }} */ { name }) => name);
    expect(names).toEqual(expect.arrayContaining(['express', 'typeorm', 'react']));
    expect(names).not.toEqual(expect.arrayContaining(['jest']));
    const isExpress = (/** @type {{ name: string, group?: string }} */ { name, group }) => name === 'express' && !group;
    const express = components.find(isExpress);
    expect(express.purl).toBe(`pkg:npm/express@${express.version}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
