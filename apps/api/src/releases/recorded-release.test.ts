import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationNumbers } from '@mailstead/adapters/database/migrations/migrations';
import { onEachDatabase, onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { recordStatements } from '@mailstead/adapters/database/testing/recorded-statements';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { inOrderOfVisit, visit } from '../testing/example-visit.js';
import { ExampleWorld } from '../testing/example-world.js';
import { WEBHOOK_SECRET } from '../testing/relay-events.js';

/** The folder into which `npm run release` has its record written; the tests of the next release read it. */
const RECORDED = process.env.MAILSTEAD_RECORD_RELEASE ?? '';
/** A release records what it says to each database. */
const onDatabases = RECORDED === '' ? onHttpDatabase : onEachDatabase;

/**
 * Sends the examples of the OpenAPI document as a reader of the reference would, each with the least powerful token.
 */
onDatabases((kind) => {
  describe('the examples of the requests', () => {
    const mail = mkdtempSync(join(tmpdir(), 'mailstead-mail-'));
    let api: TestApi;
    let statements: () => string[];

    beforeAll(async () => {
      const settings = { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_STORE: 'maildir', MAILDIR_ROOT: mail };
      api = await startTestApi(kind, settings);
      statements = recordStatements(api.database);
    });
    afterAll(async () => {
      rmSync(mail, { recursive: true, force: true });
      await api.close();
    });

    it('succeed, in the order of a first visit, for the caller to whom they are shown', async () => {
      const world = new ExampleWorld(api);
      const ordered = inOrderOfVisit(api.routes);
      expect(ordered).toHaveLength(api.routes.length);
      for (const route of ordered) {
        const { status } = await visit(api, world, route);
        expect([route.method, route.path, status]).toEqual([route.method, route.path, route.status]);
      }
    });

    it('have the statements of this release recorded, the reads and the changes of every table among them', () => {
      const texts = statements();
      for (const beginning of [/^INSERT INTO domain\b/, /^INSERT INTO mailbox\b/, /^UPDATE /, /^DELETE /, /^SELECT /])
        expect(texts.some((sql) => beginning.test(sql.replaceAll(/[`"]/g, '')))).toBe(true);
      write(`statements-${kind}.json`, texts);
    });
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
