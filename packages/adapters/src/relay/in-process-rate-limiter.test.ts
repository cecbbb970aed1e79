import { AppError } from '@mailstead/core/errors';
import { InProcessRateLimiter } from './in-process-rate-limiter.js';
import { rateLimiterContract, TEST_RULES } from './testing/rate-limiter-contract.js';
import { VirtualTime } from './testing/virtual-time.js';

describe('the rate of one process', () => {
  rateLimiterContract(async () => {
    const time = new VirtualTime();
    return {
      limiter: new InProcessRateLimiter(TEST_RULES, time.sleep, time.now),
      now: time.now,
      close: async () => {},
    };
  });

  test('a refused call throws relay_unavailable and books no slot', async () => {
    const time = new VirtualTime();
    const limiter = new InProcessRateLimiter(
      { ...TEST_RULES, maxWaitMs: { interactive: 0, background: 0 } },
      time.sleep,
      time.now,
    );
    await limiter.take('background');
    const refusal = await limiter.take('background').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'relay_unavailable' });
    await time.sleep(100);
    await expect(limiter.take('background')).resolves.toBeUndefined();
  });
});
