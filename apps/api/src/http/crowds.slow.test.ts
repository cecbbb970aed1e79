import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { until } from '@mailstead/core/testing/until';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Response } from 'supertest';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const CROWD = 90;
/** More changes than may run and wait. */
const TOO_MANY = 220;

interface Answer {
  from: string;
  status: number;
  /** Empty without an error. */
  code: string;
  /** Empty without the header. */
  retryAfter: string;
}

onEachDatabase((kind) => {
  describe('many changes of one caller at once', () => {
    let api: TestApi;
    let crowd: string;
    let other: string;
    let answers: Answer[];
    let partners = 0;
    /** The number of changes that have asked for a turn. */
    const asked = { changes: 0 };

    beforeAll(async () => {
      api = await startTestApi(kind);
      const { turns } = api.database;
      const run = turns.run.bind(turns);
      turns.run = (change) => {
        asked.changes += 1;
        return run(change);
      };
    });
    afterAll(() => api.close());

    beforeEach(async () => {
      partners += 1;
      crowd = await api.key(`crowd${partners}`, { domains_allowed: 0 });
      other = await api.key(`other${partners}`, { domains_allowed: 0 });
      answers = [];
      asked.changes = 0;
    });

    async function note(from: string, sent: PromiseLike<Response>): Promise<Response> {
      const response = await sent;
      const { status, body, headers } = response;
      answers.push({ from, status, code: String(body.code ?? ''), retryAfter: headers['retry-after'] ?? '' });
      return response;
    }

    function all(count: number, send: (index: number) => PromiseLike<Response>): Promise<unknown> {
      return Promise.all(Array.from({ length: count }, (_, index) => note('crowd', send(index))));
    }

    /** Locks the partner of the crowd, on SQLite the whole database, until the call of the function that it returns. */
    async function hold(): Promise<() => Promise<void>> {
      let letGo: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let hasBegun: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        hasBegun = resolve;
      });
      const held = api.container.get(UnitOfWork).run(async () => {
        const lock = api.database.dialect.forUpdate;
        await api.database.read(`SELECT id FROM partner WHERE ref = ?${lock}`, [`crowd${partners}`]);
        hasBegun();
        await released;
      });
      await begun;
      asked.changes = 0;
      return () => {
        letGo();
        return held;
      };
    }

    const untilAsked = (changes: number) => until(`${changes} asked changes`, () => asked.changes >= changes);

    /** The other's change begins last, while the crowd waits. @returns how many have an answer when it has one */
    async function answeredWith(sent: () => Promise<unknown>, change: () => PromiseLike<Response>): Promise<number> {
      const letGo = await hold();
      const crowdSent = sent();
      await untilAsked(CROWD);
      const changed = note('other', change()).then(() => answers.length);
      await untilAsked(CROWD + 1);
      await letGo();
      const before = await changed;
      await crowdSent;
      return before;
    }

    it('90 new keys are made, refused or busy, and the change of another partner is not behind all of them', async () => {
      const before = await answeredWith(
        () => all(CROWD, () => api.as(crowd).post('/me/keys')),
        () => api.as(other).post('/domains/', { name: `${kind}-other.example` }),
      );
      expect(before).toBeLessThan(CROWD / 2);
      expect(answers.find(({ from }) => from === 'other')?.status).toBe(201);
      const ofCrowd = answers.filter(({ from }) => from === 'crowd');
      for (const { status, code, retryAfter } of ofCrowd) {
        expect([201, 409, 503]).toContain(status);
        if (status === 409) expect(code).toBe('too_many_keys');
        if (status === 503) expect([code, retryAfter]).toEqual(['busy', '1']);
      }
      const made = (await api.as(crowd).get('/me/keys').expect(200)).body;
      expect(made).toHaveLength(ofCrowd.filter(({ status }) => status === 201).length);
      expect(made.length).toBeLessThanOrEqual(50);
    });

    it('90 moves by an operator are made once, and a change of their partner is not behind all of them', async () => {
      const names = Array.from({ length: CROWD }, (_, index) => `${kind}-moved${index}.example`);
      for (const name of names) await api.as(crowd).post('/domains/', { name }).expect(201);
      const before = await answeredWith(
        () => all(CROWD, (index) => api.as(MASTER).put(`/domains/${names[index]}/partner`, { partner_ref: 'target' })),
        () => api.as(crowd).post('/domains/', { name: `${kind}-beside.example` }),
      );
      expect(before).toBeLessThan(CROWD / 2);
      const codes = new Set(answers.map(({ status, code }) => `${status} ${code}`.trim()));
      expect([...codes].filter((code) => !['200', '201', '503 busy'].includes(code))).toEqual([]);
      const moved = answers.filter(({ status }) => status === 200).length;
      const left = (await api.as(crowd).get('/domains/').expect(200)).body;
      expect(left).toHaveLength(CROWD + 1 - moved);
    });

    it('those beyond the bound, and those that wait for ten seconds, are busy: nothing is done, and their idempotency keys are free', async () => {
      const letGo = await hold();
      const send = (index: number) => api.as(crowd).post('/me/keys').set('Idempotency-Key', `key${index}`);
      await all(TOO_MANY, send);
      expect(new Set(answers.map(({ status, code, retryAfter }) => `${status} ${code} ${retryAfter}`))).toEqual(
        new Set(['503 busy 1']),
      );
      await letGo();
      expect((await api.as(crowd).get('/me/keys').expect(200)).body).toEqual([]);
      for (const index of [0, 100, TOO_MANY - 1]) {
        const { headers } = await send(index).expect(201);
        expect(headers['idempotent-replayed']).toBeUndefined();
      }
      expect(api.log.defects).toEqual([]);
    });
  });
});
