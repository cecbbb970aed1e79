import { readFile } from 'node:fs/promises';

/** Creating an identity with tags needs it, without a command of its own. */
const OF_TAGS = 'ses:TagResource';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

describe('the policy of docs/ses.md', () => {
  it('allows the commands that are sent to SES, and nothing else', async () => {
    const files = ['../../../../docs/ses.md', 'ses-relay-provider.ts', 'ses-tenants.ts'];
    const [page = '', ...sources] = await Promise.all(files.map(read));
    const sent = [...sources.join('').matchAll(/new sdk\.(\w+)Command\(/g)].map(([, command]) => `ses:${command}`);
    const [, policy = '{}'] = /```json\n(\{\n {2}"Version".+?)```/s.exec(page) ?? [];
    const { Statement } = JSON.parse(policy) as { Statement: { Action: string[] }[] };
    expect(sent.length).toBeGreaterThan(5);
    expect(Statement.flatMap(({ Action }) => Action)).toEqual([...new Set([...sent, OF_TAGS])].sort());
  });
});
