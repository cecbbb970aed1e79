import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApi, type TestApi } from '../../testing/api-fixture.js';
import { inOrderOfVisit, visit } from '../../testing/example-visit.js';
import { ExampleWorld } from '../../testing/example-world.js';
import { WEBHOOK_SECRET } from '../../testing/relay-events.js';

/**
 * Sends the examples of the OpenAPI document as a reader of the reference would, each with the least powerful token.
 */
describe('the examples of the requests', () => {
  let api: TestApi;
  let world: ExampleWorld;
  let mail: string;

  beforeAll(async () => {
    mail = await mkdtemp(join(tmpdir(), 'mailstead-mail-'));
    const settings = { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_STORE: 'maildir', MAILDIR_ROOT: mail };
    api = await startTestApi('sqlite', settings);
    world = new ExampleWorld(api);
  });
  afterAll(async () => {
    await rm(mail, { recursive: true, force: true });
    await api.close();
  });

  it('succeed, in the order of a first visit, for the caller to whom they are shown', async () => {
    const ordered = inOrderOfVisit(api.routes);
    expect(ordered).toHaveLength(api.routes.length);
    for (const route of ordered) {
      const { status } = await visit(api, world, route);
      expect([route.method, route.path, status]).toEqual([route.method, route.path, route.status]);
    }
  });
});
