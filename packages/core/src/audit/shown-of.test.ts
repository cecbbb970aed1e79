import { shownOf } from './shown-of.js';

class Box {
  readonly id: number = 1;
  passwordHash = 'secret';
  quotaMb = 5;
  note: string | null = null;
  madeAt = new Date(0);
  get isNew(): boolean {
    return true;
  }
}

describe('what an audit row shows of an entity', () => {
  it('is every field that is not hidden, in snake_case and in the order of the entity', () => {
    const shown = shownOf(Box, { hide: ['id', 'passwordHash'] })(new Box());
    expect(JSON.stringify(shown)).toBe('{"quota_mb":5,"note":null,"made_at":"1970-01-01T00:00:00.000Z"}');
  });

  it('includes a field that is new', () => {
    class NewBox extends Box {
      maxSize = 3;
    }
    const shown = shownOf(NewBox, { hide: ['id', 'passwordHash', 'madeAt'] })(new NewBox());
    expect(shown).toEqual({ quota_mb: 5, note: null, max_size: 3 });
  });

  it('has a field that is hidden while null only with a value', () => {
    const show = shownOf(Box, { hide: ['id', 'passwordHash', 'madeAt'], hideNull: ['note'] });
    expect(show(new Box())).toEqual({ quota_mb: 5 });
    expect(show(Object.assign(new Box(), { note: 'spare' }))).toEqual({ quota_mb: 5, note: 'spare' });
  });
});
