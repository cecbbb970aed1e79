import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DATABASE_KINDS } from '@mailstead/adapters/database/testing/database-fixture';
import { formerRelease } from '@mailstead/core/testing/former-releases';
import type { Schema } from '../http/fields/field-notes.js';
import { ApiDocument } from '../testing/api-document.js';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { breakingChanges } from '../testing/document-changes.js';
import { inOrderOfVisit, visit } from '../testing/example-visit.js';
import { ExampleWorld } from '../testing/example-world.js';
import { WEBHOOK_SECRET } from '../testing/relay-events.js';

const FORMER = formerRelease();
const DOCUMENT = JSON.parse(gunzipSync(FORMER.file('openapi.json.gz')).toString()) as Schema;

/**
 * What a program finds no more, because it closes a hole in the security (`docs/api-versions.md`). Strangers were told
 * what the checks found; a program that reads it sends a token.
 */
const CLOSED = [200, 503].flatMap((status) =>
  ['checks', 'warnings'].map((field) => `GET /health/ready ${status}.${field} may be missing now`),
);

describe.each(DATABASE_KINDS)(`a program that was written for release ${FORMER.version}, on %s`, (kind) => {
  let api: TestApi;
  let mail: string;

  beforeAll(async () => {
    mail = await mkdtemp(join(tmpdir(), 'mailstead-mail-'));
    const settings = { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_STORE: 'maildir', MAILDIR_ROOT: mail };
    api = await startTestApi(kind, settings);
  });
  afterAll(async () => {
    await rm(mail, { recursive: true, force: true });
    await api.close();
  });

  it('finds every path, method, field, type and status in the present document, and sends nothing that is refused now', () => {
    expect(breakingChanges(DOCUMENT, api.document.json)).toEqual(CLOSED);
  });

  it('gets the former answers, with at most more fields, when it sends the requests of the former document', async () => {
    const former = ApiDocument.ofJson(tolerant(DOCUMENT));
    const world = new ExampleWorld(api, former);
    const routes = api.routes.filter(({ method, path }) => former.has({ method, path }));
    expect(routes.length).toBe(former.operationCount);
    for (const route of inOrderOfVisit(routes)) {
      const { status, type, text } = await visit(api, world, route);
      const label = `${route.method} ${route.path}`;
      expect([label, status]).toEqual([label, route.status]);
      const media = former.response(former.operation(route), status)?.content?.[type];
      if (type !== 'application/json' || media === undefined || text === '') continue;
      expect([label, former.mismatch(media.schema, JSON.parse(text))]).toEqual([label, null]);
    }
  });
});

/** Programs ignore fields, and expect values of lists of words, that they do not know. */
function tolerant(document: Schema): Schema {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  ) as Schema;
}
