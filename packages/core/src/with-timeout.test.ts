import { withTimeout } from './with-timeout.js';

const never = new Promise<never>(() => undefined);

describe('a promise with a timeout', () => {
  it('returns or throws the outcome of a promise that is settled in time', async () => {
    await expect(withTimeout(Promise.resolve('answer'), 60_000, () => 'late')).resolves.toBe('answer');
    await expect(withTimeout(Promise.reject(new Error('broken')), 60_000, () => 'late')).rejects.toThrow('broken');
  });

  it('returns the result of `late` when the promise is too late, or throws its error', async () => {
    await expect(withTimeout(never, 1, () => 'late')).resolves.toBe('late');
    const tooLate = () => {
      throw new Error('too late');
    };
    await expect(withTimeout(never, 1, tooLate)).rejects.toThrow('too late');
  });

  it('ignores a failure after the timeout', async () => {
    let fail: (reason: Error) => void = () => undefined;
    const slow = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(withTimeout(slow, 1, () => 'late')).resolves.toBe('late');
    fail(new Error('this rejection must be ignored'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
