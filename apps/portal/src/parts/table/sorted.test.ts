import type { Column } from './column.js';
import { nextOrder, sorted } from './sorted.js';

interface Row {
  name: string;
  used: number | null;
}

const COLUMNS: Column<Row>[] = [
  { head: 'Name', cell: ({ name }) => name, by: ({ name }) => name },
  { head: 'Used', cell: ({ used }) => used, by: ({ used }) => used },
  { head: 'Note', cell: () => '' },
];
const ROWS: Row[] = [
  { name: 'b10', used: null },
  { name: 'B2', used: 9 },
  { name: 'ä1', used: 10 },
  { name: 'a2', used: 9 },
];

const namesBy = (head: string, direction: 'ascending' | 'descending') =>
  sorted(ROWS, COLUMNS, { head, direction }).map(({ name }) => name);

describe('the rows of a table', () => {
  it('are sorted as people read: accents and case beside their letter, numbers in texts by value', () => {
    expect(namesBy('Name', 'ascending')).toEqual(['ä1', 'a2', 'B2', 'b10']);
    expect(namesBy('Name', 'descending')).toEqual(['b10', 'B2', 'a2', 'ä1']);
  });

  it('have those without a value last in both directions, and keep the order of equal ones', () => {
    expect(namesBy('Used', 'ascending')).toEqual(['B2', 'a2', 'ä1', 'b10']);
    expect(namesBy('Used', 'descending')).toEqual(['ä1', 'B2', 'a2', 'b10']);
  });

  it('stay in the order of the API without an order, and by a column without a value to sort by', () => {
    expect(sorted(ROWS, COLUMNS, null)).toBe(ROWS);
    expect(sorted(ROWS, COLUMNS, { head: 'Note', direction: 'ascending' })).toBe(ROWS);
  });

  it('are sorted up, down, and then as the API has them, by one head after the other', () => {
    const up = nextOrder(null, 'Name');
    expect(up).toEqual({ head: 'Name', direction: 'ascending' });
    const down = nextOrder(up, 'Name');
    expect(down).toEqual({ head: 'Name', direction: 'descending' });
    expect(nextOrder(down, 'Name')).toBeNull();
    expect(nextOrder(down, 'Used')).toEqual({ head: 'Used', direction: 'ascending' });
  });
});
