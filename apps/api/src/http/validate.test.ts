import type { DtoClass } from './fields/field-notes.js';
import { Bool, Enum, InputTime, Integer, ListOf, ListOfText, Nested, QueryInteger, Text } from './fields.js';
import { validate } from './validate.js';

class Item {
  @Text({ min: 1, max: 3 }) code!: string;
  @Integer({ min: 0, max: 10, optional: true }) count?: number;
}

class Order {
  @ListOf(Item, { min: 1, max: 3, optional: true }) items?: Item[];
  @Nested(Item, { optional: true, nullable: true }) first?: Item | null;
  @ListOfText({ max: 2, maxLength: 3, optional: true }) notes?: string[];
  @Enum(['a', 'b'], { optional: true, nullable: true }) kind?: string | null;
  @Enum(['a', 'b'], { optional: true }) only?: string;
  @Bool({ optional: true }) flag?: boolean;
  @InputTime({ optional: true, nullable: true }) at?: Date | null;
  @QueryInteger({ min: 1, max: 20, optional: true }) page?: number;
}

class Exact {
  @Text({ min: 2, max: 2 }) code!: string;
}

class Required extends Item {
  @Text({ max: 2, nullable: true }) name!: string | null;
}

const errors = (dto: DtoClass, value: unknown) =>
  (validate(dto, value).errors ?? []).map(({ field, message }) => `${field} ${message}`);

describe('a body', () => {
  it('becomes an instance of its class, with times and items converted', () => {
    const { instance } = validate(Order, {
      items: [{ code: 'x', count: 0 }],
      first: null,
      at: '2026-03-01T12:00:00+02:00',
      page: '20',
    });
    expect(instance).toBeInstanceOf(Order);
    expect(instance?.items?.[0]).toBeInstanceOf(Item);
    expect(instance).toMatchObject({
      items: [{ code: 'x', count: 0 }],
      first: null,
      at: new Date('2026-03-01T10:00:00Z'),
      page: 20,
    });
  });

  it.each<[unknown, string]>([
    [{ items: {} }, 'items must be a list'],
    [{ items: [] }, 'items must have 1 to 3 items'],
    [{ items: [{}, {}, {}, {}] }, 'items must have 1 to 3 items'],
    [{ items: [{ code: 'x' }, { code: 'x', count: 11 }] }, 'items[1].count must be a whole number from 0 to 10'],
    [{ items: [{ code: 'x', count: 1.5 }] }, 'items[0].count must be a whole number from 0 to 10'],
    [{ items: [{ code: 'x', count: '1' }] }, 'items[0].count must be a whole number from 0 to 10'],
    [{ items: [{ code: 'x', count: null }] }, 'items[0].count must not be null'],
    [{ items: [{ code: 'x', size: 1 }] }, 'items[0].size is not a known field'],
    [{ items: [{ count: 1 }] }, 'items[0].code is required'],
    [{ items: [null] }, 'items[0] must be an object'],
    [{ items: [[{ code: 'x' }]] }, 'items[0] must be an object'],
    [{ items: [7] }, 'items[0] must be an object'],
    [{ first: [] }, 'first must be an object'],
    [{ first: { code: '' } }, 'first.code must have 1 to 3 characters'],
    [{ notes: ['long'] }, 'notes must be a list of strings of at most 3 characters'],
    [{ notes: 'x' }, 'notes must be a list of strings of at most 3 characters'],
    [{ notes: [1] }, 'notes must be a list of strings of at most 3 characters'],
    [{ notes: ['', '', ''] }, 'notes must have 0 to 2 items'],
    [{ kind: 'c' }, 'kind must be one of a, b'],
    [{ only: null }, 'only must not be null'],
    [{ flag: 'true' }, 'flag must be true or false'],
    [{ at: '2026-02-30' }, 'at must be an ISO 8601 time like 2026-03-01T12:00:00.000 (UTC unless it has an offset)'],
    [{ page: '21' }, 'page must be a whole number from 1 to 20'],
    [{ page: '1e1' }, 'page must be a whole number from 1 to 20'],
  ])('%j is refused: %s', (value, problem) => {
    expect(errors(Order, value)).toEqual([problem]);
  });

  it('is the same for any order of its fields, so that a repeated request has the same fingerprint', () => {
    const { instance } = validate(Required, { name: 'y', code: 'x', count: 1 });
    expect(JSON.stringify(instance)).toBe(
      JSON.stringify(validate(Required, { count: 1, code: 'x', name: 'y' }).instance),
    );
    expect(JSON.stringify(instance)).toBe('{"code":"x","count":1,"name":"y"}');
  });

  it('has one error for each wrong field', () => {
    expect(errors(Required, { count: -1, name: 5, extra: 1 }).sort()).toEqual([
      'code is required',
      'count must be a whole number from 0 to 10',
      'extra is not a known field',
      'name must be a string',
    ]);
  });

  it.each([null, [], 'text', 5, true])('that is %j is refused', (value) => {
    expect(errors(Required, value)).toEqual([' must be an object']);
  });
});

describe('text', () => {
  const problem = 'name must not contain control characters or unpaired surrogates';

  it.each(['\u0000', '\n', '\u007f', '\u009f', '\ud800', '\udc00'])('with %j is refused', (name) => {
    expect(errors(Required, { code: 'x', name })).toEqual([problem]);
  });

  it('has its length in characters: an emoji is one, and a variation selector is one', () => {
    expect(errors(Required, { code: 'x', name: '😀😀' })).toEqual([]);
    expect(errors(Required, { code: 'x', name: '😀😀😀' })).toEqual(['name must have 0 to 2 characters']);
    expect(errors(Required, { code: 'x', name: `x${'\ufe0f'.repeat(100)}` })).toEqual([
      'name must have 0 to 2 characters',
    ]);
    expect(errors(Exact, { code: 'x' })).toEqual(['code must have exactly 2 characters']);
  });
});

describe('the name of a property that every object inherits', () => {
  const names = Object.getOwnPropertyNames(Object.prototype);

  it.each(names)('%s is an unknown field, and does not replace a missing one', (name) => {
    const value: unknown = JSON.parse(`{"code": "x", "name": null, "${name}": {"code": "x"}}`);
    expect(errors(Required, value)).toEqual([`${name} is not a known field`]);
    const inherited: unknown = JSON.parse('{"__proto__": {"code": "x", "name": "y"}}');
    expect(errors(Required, inherited)).toContain('code is required');
  });
});

describe('a deeply nested value', () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  it.each(['items', 'first', 'notes', 'kind', 'at', 'extra'])(
    'in %s is refused like any other wrong value',
    (field) => {
      expect(errors(Order, JSON.parse(`{"${field}": ${nested}}`))).toHaveLength(1);
      expect(errors(Order, JSON.parse(`{"items": [{"code": ${nested}}]}`))).toEqual(['items[0].code must be a string']);
    },
  );
});
