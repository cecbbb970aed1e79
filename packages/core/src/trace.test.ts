import { setImmediate } from 'node:timers/promises';
import fc from '../../../scripts/fast-check.mjs';
import { currentTraceId, newTraceId, readTraceparent, setTraceId, traced, traceparentOf } from './trace.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PART = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('gives its trace id', () => {
    expect(readTraceparent(`00-${ID}-${PART}-01`)).toBe(ID);
    expect(readTraceparent(`00-${ID}-${PART}-00`)).toBe(ID);
  });

  it('of a later version may have more parts, up to 256 characters', () => {
    expect(readTraceparent(`01-${ID}-${PART}-01`)).toBe(ID);
    expect(readTraceparent(`cc-${ID}-${PART}-01-what the future brings`)).toBe(ID);
    expect(readTraceparent(`01-${ID}-${PART}-01-${'x'.repeat(200)}`)).toBe(ID);
    expect(readTraceparent(`01-${ID}-${PART}-01-${'x'.repeat(201)}`)).toBeNull();
  });

  it.each([
    ['no text', undefined],
    ['several headers', [`00-${ID}-${PART}-01`]],
    ['two values in one', `00-${ID}-${PART}-01, 00-${ID}-${PART}-01`],
    ['capital letters', `00-${ID.toUpperCase()}-${PART}-01`],
    ['a space before', ` 00-${ID}-${PART}-01`],
    ['a line feed after', `00-${ID}-${PART}-01\n`],
    ['version ff', `ff-${ID}-${PART}-01`],
    ['more parts in version 00', `00-${ID}-${PART}-01-00`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PART}-01`],
    ['a part of zeros', `00-${ID}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${ID.slice(1)}-${PART}-01`],
    ['a long trace id', `00-${ID}0-${PART}-01`],
    ['no flags', `00-${ID}-${PART}`],
    ['nothing', ''],
  ])('with %s is ignored', (_, value) => {
    expect(readTraceparent(value)).toBeNull();
  });

  it('is null or 32 hexadecimal digits, whatever the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{30,33}-[0-9a-f]{15,17}-[0-9a-f]{2}.*$/),
    );
    fc.assert(fc.property(text, (value) => /^[0-9a-f]{32}$/.test(readTraceparent(value) ?? ID)));
  });

  it('that is sent has the trace id, another part each time, and is valid', () => {
    const traceId = newTraceId();
    const [first, second] = [traceparentOf(traceId), traceparentOf(traceId)];
    expect([first, second].map(readTraceparent)).toEqual([traceId, traceId]);
    expect(first).not.toBe(second);
    expect(newTraceId()).not.toBe(traceId);
  });
});

describe('the trace of the present work', () => {
  it('follows the work, and ends with it', async () => {
    expect(currentTraceId()).toBeNull();
    const seen = await traced(ID, async () => {
      await setImmediate();
      return currentTraceId();
    });
    expect(seen).toBe(ID);
    expect(currentTraceId()).toBeNull();
  });

  it('of two works at once is not mixed', async () => {
    const other = newTraceId();
    const seen = await Promise.all(
      [ID, other, null].map((traceId) => traced(traceId, () => setImmediate().then(currentTraceId))),
    );
    expect(seen).toEqual([ID, other, null]);
  });

  it('may become known later, for this work alone', async () => {
    await traced(ID, async () => {
      await traced(null, async () => {
        setTraceId(PART);
        expect(currentTraceId()).toBe(PART);
      });
      expect(currentTraceId()).toBe(ID);
    });
    setTraceId(PART);
    expect(currentTraceId()).toBeNull();
  });
});
