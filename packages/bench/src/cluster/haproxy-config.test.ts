import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the configuration of HAProxy', () => {
  it('is the same in the file for operators, which the cluster runs, and in the document', () => {
    const config = read('integrations/haproxy/haproxy.cfg');
    expect(read('docs/scaling.md')).toContain(config.slice(config.indexOf('defaults\n')));
  });
});
