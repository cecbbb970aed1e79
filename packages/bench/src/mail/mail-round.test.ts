import { untilEmpty } from './mail-round.js';

describe('the wait for an empty queue', () => {
  const clock = () => {
    let at = 0;
    return { now: () => at, wait: async () => void (at += 1_000) };
  };

  it('ends when every queue is empty', async () => {
    const left = [2, 1, 0];
    const variant = { name: 'maps', queues: () => ({ incoming: 0, active: left.shift() ?? Number.NaN }) } as const;
    await untilEmpty(variant, 'postfix', { withinMs: 5_000, ...clock() });
    expect(left).toEqual([]);
  });

  it('ends after its time, with an error that names the variant, the instance and its queues', async () => {
    const variant = { name: 'whole', queues: () => ({ maildrop: 0, incoming: 3, active: 20 }) } as const;
    await expect(untilEmpty(variant, 'postfix-submission', { withinMs: 5_000, ...clock() })).rejects.toThrow(
      'Not delivered within 5 s by postfix-submission of whole: 3 in incoming, 20 in active',
    );
  });
});
