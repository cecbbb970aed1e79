import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sampled } from '@mailstead/core/testing/sampled';
import { describeWith } from '../../../../scripts/needed-programs.mjs';

const FOLDER = fileURLToPath(new URL('../../../../integrations/prometheus', import.meta.url));
const RULES = 'mailstead.rules.yml';
const BEFORE_A_TEST = /^(?= {2}- name: )/m;

const runProgram = promisify(execFile);

const describePromtool = await describeWith('the alert rules');

describePromtool('an alert rule', () => {
  it('fires and falls silent in its test, and no other one fires', async () => {
    const [head = '', ...tests] = (await readFile(join(FOLDER, 'mailstead.test.yml'), 'utf8')).split(BEFORE_A_TEST);
    expect(head).toContain(`  - ${RULES}\n`);
    const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    const file = join(folder, 'some.test.yml');
    const chosen = sampled(tests, 10);
    await writeFile(file, [head.replace(RULES, join(FOLDER, RULES)), ...chosen].join(''));
    try {
      const { stdout } = await runProgram('promtool', ['test', 'rules', file]);
      expect(stdout).toContain('SUCCESS');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
