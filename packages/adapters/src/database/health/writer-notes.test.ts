import { nodesWrittenAtOnce, type WriterNote } from './writer-notes.js';

const note = (nodeName: string, firstSeenAt: number, seenAt: number, fields: Partial<WriterNote> = {}): WriterNote => ({
  nodeName,
  nodeAddress: '',
  process: 'a',
  firstSeenAt,
  seenAt,
  ...fields,
});
const names = (notes: WriterNote[]) => nodesWrittenAtOnce(notes).map(({ name }) => name);

describe('nodes that are written to at the same time', () => {
  it('are none while every process writes to one node', () => {
    expect(names([])).toEqual([]);
    expect(names([note('n1', 0, 20), note('n1', 5, 25, { process: 'b' })])).toEqual([]);
  });

  it('are two when two processes write to two nodes', () => {
    expect(names([note('n2', 5, 15, { process: 'b' }), note('n1', 0, 10)])).toEqual(['n1', 'n2']);
  });

  it('are two when one process has connections to two nodes', () => {
    expect(nodesWrittenAtOnce([note('n1', 0, 10), note('n2', 10, 10)])).toEqual([
      { name: 'n1', address: '', processes: ['a'] },
      { name: 'n2', address: '', processes: ['a'] },
    ]);
  });

  it('are none at a failover, when the writes to the first node ended before those to the second began', () => {
    const before = [note('n1', 0, 9), note('n1', 5, 10, { process: 'b' })];
    expect(names([...before, note('n2', 11, 20), note('n2', 12, 21, { process: 'b' })])).toEqual([]);
    expect(names([...before, note('n2', 10, 20)])).toEqual(['n1', 'n2']);
  });

  it('are two when the first node is written to again after a failover', () => {
    expect(names([note('n1', 0, 25), note('n2', 11, 20)])).toEqual(['n1', 'n2']);
  });

  it('do not include the former node of a failover', () => {
    expect(names([note('n1', 0, 5), note('n2', 10, 20), note('n3', 15, 25)])).toEqual(['n2', 'n3']);
  });

  it('are two when two nodes have the same name and different addresses', () => {
    const notes = [note('db', 0, 10, { nodeAddress: '10.0.0.1' }), note('db', 5, 15, { nodeAddress: '10.0.0.2' })];
    expect(nodesWrittenAtOnce(notes).map(({ address }) => address)).toEqual(['10.0.0.1', '10.0.0.2']);
  });
});
