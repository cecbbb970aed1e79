import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import fc from '../../../../../scripts/fast-check.mjs';
import { FuzzRequests } from './fuzz-requests.js';
import { FuzzWorld } from './fuzz-world.js';

/**
 * Sends random requests to every route, one after the other. On a failure fast-check prints the seed and the request;
 * `MAILSTEAD_TEST_SEED=<seed>` sends the same requests again.
 * @param onDatabases runs the suite on one database, or on each
 */
export function fuzzSuite(onDatabases: (suite: (kind: DatabaseKind) => void) => void, requests: number): void {
  onDatabases((kind) => {
    let world: FuzzWorld;

    beforeAll(async () => {
      world = await FuzzWorld.start(kind);
    });
    afterAll(() => world.stop());

    it(`${requests} random requests get no 500, no undocumented response and nothing of another partner`, async () => {
      const any = new FuzzRequests(world.api.routes, world.api.document, await world.pools()).any();
      await fc.assert(
        fc.asyncProperty(
          any.filter((request) => !world.movesMarked(request)),
          (request) => world.check(request),
        ),
        // A shorter request would come after other requests, so it would not show the same fault.
        { numRuns: requests, endOnFailure: true },
      );
      expect(world.api.log.defects).toEqual([]);
    });
  });
}
