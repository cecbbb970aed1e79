import type { Parameter } from '@mailstead/adapters/database/driver/database';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const EVENTS = 45_000;
const MOST_LOOKED_AT = 20_000;
const RARE = 'partner.activated';

onEachDatabase((kind) => {
  describe('a list of events that are rare', () => {
    let api: TestApi;
    let acme: string;

    beforeAll(async () => {
      api = await startTestApi(kind);
      acme = await api.key('acme', { domains_allowed: 0 });
      const { database } = api;
      const [partner] = await database.read("SELECT id FROM partner WHERE ref = 'acme'");
      const [before] = await database.read('SELECT MAX(id) AS id FROM audit_log');
      // Every third event is of another partner, and the last one of acme is the only one of its type.
      await database.write(
        `INSERT INTO audit_log (changed_at, actor_kind, actor, action, partner_ref, partner_id, domain, subject, event_type, position)
         SELECT n, 'client', 'key:1', 'domain.update', 'acme', CASE WHEN n % 3 = 0 THEN 0 ELSE ? END, 'a.example', 's',
                CASE WHEN n = ${EVENTS - 1} THEN '${RARE}' ELSE 'domain.updated' END, n
           FROM (SELECT a.i + 30 * b.i + 900 * c.i + 27000 * d.i + 1 AS n FROM ${digits('a')}, ${digits('b')}, ${digits('c')}, ${digits('d')}) AS numbers
          WHERE n <= ${EVENTS}`,
        [Number(partner?.id)],
      );
      await database.write('UPDATE audit_log SET position = NULL WHERE id <= ?', [Number(before?.id)]);
      await database.write(
        'UPDATE event_position SET last_position = ?, first_kept = 1, before_audit_id = ? WHERE id = 1',
        [EVENTS, Number(before?.id)],
      );
    });
    afterAll(() => api.close());

    const digits = (name: string) =>
      `(SELECT ${Array.from({ length: 30 }, (_, index) => `${index} AS i`).join(' UNION ALL SELECT ')}) AS ${name}`;

    /**
     * Follows the links. @returns the sizes of the pages, what was found, and the positions that the longest page
     * looked at
     */
    async function follow(token: string, query: string) {
      const read = api.database.read.bind(api.database);
      let looked = 0;
      const seen = { sizes: [] as number[], ids: [] as number[], mostLooked: 0 };
      api.database.read = (sql: string, parameters: Parameter[] = []) => {
        looked += (/position IN \(([?, ]+)\)/.exec(sql)?.[1] ?? '').split('?').length - 1;
        return read(sql, parameters);
      };
      try {
        for (let path: string | undefined = `/events?limit=50&${query}`; path !== undefined; ) {
          looked = 0;
          const answer: { body: { id: number }[]; headers: { link?: string } } = await api
            .as(token)
            .get(path)
            .expect(200);
          seen.sizes.push(answer.body.length);
          seen.ids.push(...answer.body.map(({ id }) => id));
          seen.mostLooked = Math.max(seen.mostLooked, looked);
          path = /<(.+)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
        }
      } finally {
        Object.assign(api.database, { read });
      }
      return seen;
    }

    it.each([
      ['of a client', () => acme, `types=${RARE}`],
      ['of master', () => MASTER, `types=${RARE}`],
      ['of a partner, for master', () => MASTER, `types=${RARE}&partner_ref=acme`],
      ['of a domain', () => acme, `types=${RARE}&domain=a.example`],
      ['of a client, newest first', () => acme, `types=${RARE}&order=desc`],
    ])(
      'looks at no more than 20,000 positions in a request, and links to where it goes on: %s',
      async (_, token, query) => {
        const { sizes, ids, mostLooked } = await follow(token(), query);
        expect(ids).toEqual([EVENTS - 1]);
        expect(sizes.length).toBeGreaterThan(1);
        // One more statement reads the event that was found.
        expect(mostLooked).toBeLessThanOrEqual(MOST_LOOKED_AT + 1);
      },
    );

    it('has full pages of frequent events', async () => {
      const answer = await api.as(acme).get('/events?limit=50&after=100&types=domain.updated').expect(200);
      expect(answer.body).toHaveLength(50);
      expect(answer.headers.link).toContain('after=');
    });
  });
});
