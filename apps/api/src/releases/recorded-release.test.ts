import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationNumbers } from '@mailstead/adapters/database/migrations/migrations';
import { DATABASE_KINDS } from '@mailstead/adapters/database/testing/database-fixture';
import { recordStatements } from '@mailstead/adapters/database/testing/recorded-statements';
import { startTestApi } from '../testing/api-fixture.js';
import { inOrderOfVisit, visit } from '../testing/example-visit.js';
import { ExampleWorld } from '../testing/example-world.js';
import { WEBHOOK_SECRET } from '../testing/relay-events.js';

/** The folder into which `npm run release` has its record written; the tests of the next release read it. */
const RECORDED = process.env.MAILSTEAD_RECORD_RELEASE ?? '';

describe.each(DATABASE_KINDS)('the statements of this release on %s', (kind) => {
  it('are recorded while the example of each route is sent, the reads and the changes of every table among them', async () => {
    const mail = mkdtempSync(join(tmpdir(), 'mailstead-mail-'));
    const settings = { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_STORE: 'maildir', MAILDIR_ROOT: mail };
    const api = await startTestApi(kind, settings);
    const recorded = recordStatements(api.database);
    const world = new ExampleWorld(api);
    for (const route of inOrderOfVisit(api.routes)) {
      const { status } = await visit(api, world, route);
      expect([route.method, route.path, status]).toEqual([route.method, route.path, route.status]);
    }
    const statements = recorded();
    for (const beginning of [/^INSERT INTO domain\b/, /^INSERT INTO mailbox\b/, /^UPDATE /, /^DELETE /, /^SELECT /])
      expect(statements.some((sql) => beginning.test(sql.replaceAll(/[`"]/g, '')))).toBe(true);
    write(`statements-${kind}.json`, statements);
    await api.close();
    rmSync(mail, { recursive: true, force: true });
  });
});

it('the numbers of the migrations of this release are recorded, each once', () => {
  const numbers = [...new Set(migrationNumbers())];
  expect(numbers.every((number) => String(number).length === 13)).toBe(true);
  write('migrations.json', numbers);
});

function write(name: string, values: readonly (string | number)[]): void {
  if (RECORDED !== '') writeFileSync(join(RECORDED, name), `${JSON.stringify(values, null, 2)}\n`);
}
