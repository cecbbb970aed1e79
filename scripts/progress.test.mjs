// @ts-check
import { jest } from '@jest/globals';
import { withProgress } from './progress.mjs';

describe('the progress of a step', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /**
   * @param {boolean} isTTY
   * @param {number} takesMs
   * @param {() => Promise<void>} [end]
   */
  async function shown(isTTY, takesMs, end = async () => undefined) {
    let text = '';
    const output = /** @type {NodeJS.WriteStream} */ (
      /** @type {unknown} */ ({
        isTTY,
        write: (/** @type {string} */ part) => {
          text += part;
        },
      })
    );
    const work = () => new Promise((resolve) => setTimeout(resolve, takesMs)).then(end);
    const running = withProgress('Building', work, { count: () => '3 of 7', output }).catch(() => undefined);
    await jest.advanceTimersByTimeAsync(takesMs);
    await running;
    return text;
  }

  it('is not shown for a step that is done at once', async () => {
    expect(await shown(true, 1_000)).toBe('');
    expect(await shown(false, 1_000)).toBe('');
  });

  it('is a line at the beginning, every ten seconds and at the end, in a file', async () => {
    expect(await shown(false, 14_000)).toBe(
      'Building … 3 of 7, 2 s\nBuilding … 3 of 7, 12 s\nBuilding: done in 14 s\n',
    );
  });

  it('is one line that is written over, on a terminal', async () => {
    const text = await shown(true, 4_000);
    expect(text.split('\n')).toHaveLength(2);
    expect(text.split('\r\u001B[K')).toEqual([
      '',
      'Building … 3 of 7, 2 s',
      'Building … 3 of 7, 3 s',
      'Building … 3 of 7, 4 s',
      'Building: done in 4 s\n',
    ]);
  });

  it('does not say that a failed step is done', async () => {
    const failing = async () => {
      throw new Error('broken');
    };
    expect(await shown(false, 5_000, failing)).toBe('Building … 3 of 7, 2 s\nBuilding: not done\n');
  });
});
