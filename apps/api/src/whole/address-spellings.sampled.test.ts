import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { kindOf, type Place, placesOf } from '../testing/address-places.js';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { type Answer, SpelledWorld } from '../testing/spelled-world.js';
import { NAMES } from '../testing/spellings.js';

/** What a place must answer about an address that is here, beside a status below 300. */
const ANSWERS: readonly [RegExp, unknown][] = [
  [/transfer.increments/, [{ counted: true }]],
  [/increment body.recipients/, { count: 0, allowed: true }],
  [/increments body.items.recipients/, [{ count: 0, allowed: true }]],
  [/increment body.(sender|claims)/, { allowed: true }],
  [/increments body.items.(sender|claims|domain)/, [{ allowed: true }]],
  [/looks body.items.(recipient|recipient_domain)$/, [{ stays_here: true, counts_as: 0 }]],
  [/looks body.items.(domain|sender)/, [{ allowed: true }]],
  [/senders.check/, [{ allowed: true }]],
  [/mail-queue.looks/, [{ hosted: true }]],
  [/outbound.trail/, { taken: 1, dropped: 0 }],
  [/(domains|users|aliases).bulk/, [{ status: 201 }]],
  // An id alone names one of several aliases of an address.
  [/(get|put) .aliases.:alias path.alias/, { code: 'alias_not_found' }],
  // There is no mail store.
  [/retention.preview/, { code: 'mail_store_unavailable' }],
  [/(get|delete|put|post) /, undefined],
];

describe('an address in any spelling', () => {
  let api: TestApi;
  let places: Place[];

  beforeAll(async () => {
    api = await startTestApi('sqlite', { RATE_LIMIT: '0', ALLOW_EXTERNAL_FORWARD: 'true' });
    places = api.routes.flatMap(placesOf).filter((place) => kindOf(place) !== null);
  });
  afterAll(() => api.close());

  it('is known for each text that a route takes', () => {
    expect(places.length).toBeGreaterThan(80);
  });

  it.each(NAMES)('of $unicode has the same answer at every place', async (name) => {
    const world = await new SpelledWorld(api, name).start();
    // Each place is asked about one of the names, in the slow tests about all.
    for (const place of places.filter((_, index) => sampled(NAMES, 1, index).includes(name))) {
      const { stored, spellings } = world.textOf(place);
      await world.prepare();
      // The first request of several may change more than the others.
      if (place.route.method !== 'get') await world.ask(place, stored);
      const expected = await world.ask(place, stored);
      expectFound(place, expected);
      const isSame = fc.asyncProperty(spellings, async (text) => {
        expect([place.label, text, await world.ask(place, text)]).toEqual([place.label, text, expected]);
      });
      await fc.assert(isSame, { numRuns: sampleSize(6, 1) });
    }
  });

  it('that is wrong is refused with one error that names the field, or is one that nothing has', async () => {
    const world = await new SpelledWorld(api, { unicode: 'wrong.example', stored: 'wrong.example' }).start();
    for (const place of places) {
      const [kind, wrong] = kindOf(place) ?? ['domain', 'nothing'];
      const texts = kind === 'domain' ? ['bü..cher.example'] : ['anna@bü..cher.example', 'ünder@wrong.example'];
      for (const text of texts) {
        const { status, body } = await world.ask(place, text);
        const shown = [place.label, text, status];
        if (wrong === 'absent') expect(shown).toEqual([place.label, text, 404]);
        if (wrong === 'nothing') expect([...shown.slice(0, 2), status < 300]).toEqual([place.label, text, true]);
        if (wrong === 'refused')
          expect([place.label, text, refusedFields(body)]).toEqual([place.label, text, [fieldOf(place)]]);
      }
    }
  });
});

function expectFound({ label }: Place, { status, body }: Answer): void {
  const [, answer] = ANSWERS.find(([pattern]) => pattern.test(label)) ?? [];
  if (answer !== undefined) expect([label, body]).toMatchObject([label, answer]);
  else expect([label, status, status < 300 ? true : body]).toEqual([label, status, true]);
  const mayBeEmpty = label.includes('path.') || label.includes('/events');
  if (Array.isArray(body) && !mayBeEmpty) expect([label, body.length > 0]).toEqual([label, true]);
}

/** The fields of the errors of an answer, or of the only item of a bulk request. */
function refusedFields(body: unknown): string[] {
  const [item] = Array.isArray(body) ? body : [{ problem: body }];
  const { errors = [] } = ((item as { problem?: unknown }).problem ?? {}) as { errors?: { field: string }[] };
  return errors.map(({ field }) => field);
}

function fieldOf({ route, names }: Place): string {
  const isBulk = route.path.endsWith('/bulk');
  const [first = '', ...rest] = names;
  return rest.length === 0 ? first : isBulk ? rest.join('.') : `${first}[0].${rest.join('.')}`;
}
