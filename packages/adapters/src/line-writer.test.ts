import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineWriter } from './line-writer.js';

describe('a line writer', () => {
  let output: PassThrough;
  let writer: LineWriter;

  beforeEach(() => {
    output = new PassThrough();
    writer = new LineWriter(output);
  });

  it('writes the lines of one turn together, and leaves no listener behind', async () => {
    const listeners = process.listenerCount('exit');
    writer.write('one\n');
    writer.write('two\n');
    expect(output.read()).toBeNull();
    await nextTurn();
    expect(String(output.read())).toBe('one\ntwo\n');
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  it('writes the last lines when the process exits', () => {
    writer.write('last\n');
    const exit = process.listeners('exit').at(-1);
    exit?.(0);
    expect(String(output.read())).toBe('last\n');
  });
});
