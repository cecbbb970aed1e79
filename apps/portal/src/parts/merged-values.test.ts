import { mergedValues } from './merged-values.js';

const BASE = { name: 'a', quota: 1, active: true };

describe('a form whose subject somebody else has changed', () => {
  it('keeps what was typed, takes the rest from the other, and names the fields of the other', () => {
    const typed = { ...BASE, name: 'typed' };
    expect(mergedValues(BASE, typed, { name: 'a', quota: 2, active: false })).toEqual({
      values: { name: 'typed', quota: 2, active: false },
      others: ['quota', 'active'],
    });
  });

  it('keeps what was typed also in a field that the other has changed', () => {
    const typed = { ...BASE, name: 'typed' };
    expect(mergedValues(BASE, typed, { ...BASE, name: 'other' })).toEqual({ values: typed, others: ['name'] });
  });

  it('names no field when the other has changed something that it does not set', () => {
    const typed = { ...BASE, quota: 7 };
    expect(mergedValues(BASE, typed, { ...BASE })).toEqual({ values: typed, others: [] });
  });
});
