import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DATABASE_KINDS } from '@mailstead/adapters/database/testing/database-fixture';
import { formerRelease } from '@mailstead/core/testing/former-releases';
import { ApiDocument } from '../testing/api-document.js';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { breakingChanges } from '../testing/document-changes.js';
import { inOrderOfVisit, visit } from '../testing/example-visit.js';
import { ExampleWorld } from '../testing/example-world.js';
import { WEBHOOK_SECRET } from '../testing/relay-events.js';

const FORMER = formerRelease();
const TEXT = gunzipSync(FORMER.file('openapi.json.gz')).toString();
/** What the service serves; `client-types.test.ts` compares the two. */
const PRESENT = new URL('../../../../packages/client/generated/openapi.json', import.meta.url);
/** Programs ignore fields, and expect values of lists of words, that they do not know. */
const TOLERANT = ApiDocument.ofJson(
  JSON.parse(TEXT, (key, value: unknown) => (key === 'additionalProperties' && value === false ? undefined : value)),
);

/**
 * What a program finds no more, because it closes a hole in the security (`docs/api-versions.md`). Strangers were told
 * what the checks found; a program that reads it sends a token.
 */
const CLOSED = [200, 503].flatMap((status) =>
  ['checks', 'warnings'].map((field) => `GET /health/ready ${status}.${field} may be missing now`),
);

describe(`a program that was written for release ${FORMER.version}`, () => {
  it('finds every path, method, field, type and status in the present document, and sends nothing that is refused now', async () => {
    expect(breakingChanges(JSON.parse(TEXT), JSON.parse(await readFile(PRESENT, 'utf8')))).toEqual(CLOSED);
  });
});

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

  it('gets the former answers, with at most more fields, when it sends the requests of the former document', async () => {
    const world = new ExampleWorld(api, TOLERANT);
    const routes = api.routes.filter(({ method, path }) => TOLERANT.has({ method, path }));
    expect(routes.length).toBe(TOLERANT.operationCount);
    for (const route of inOrderOfVisit(routes)) {
      const { status, type, text } = await visit(api, world, route);
      const label = `${route.method} ${route.path}`;
      expect([label, status]).toEqual([label, route.status]);
      const media = TOLERANT.response(TOLERANT.operation(route), status)?.content?.[type];
      if (type !== 'application/json' || media === undefined || text === '') continue;
      expect([label, TOLERANT.mismatch(media.schema, JSON.parse(text))]).toEqual([label, null]);
    }
  });
});
