import { ApiProblem } from '@mailstead/client/api-problem';
import { sendWithAges } from './session-ages.js';

const refusal = (field: string, message: string) =>
  new ApiProblem(422, 'validation_failed', 'There are wrong fields', [{ field, message }], null);

describe('the age of a session', () => {
  it('is that of the moment of sending, rounded up, at least 0, at most what the API takes, and left out when unknown', async () => {
    const sent: object[] = [];
    const now = performance.now();
    const items = [{ n: 1, sessionBegan: now - 5_000 }, { n: 2 }, { n: 3, sessionBegan: now + 60_000 }];
    await sendWithAges([...items, { n: 4, sessionBegan: -1e15 }], async (aged) => sent.push(...aged));
    const elapsed = Math.ceil(performance.now() - now);
    expect(sent).toEqual([
      { n: 1, session_age_ms: expect.any(Number) },
      { n: 2 },
      { n: 3, session_age_ms: 0 },
      { n: 4, session_age_ms: 315_360_000_000 },
    ]);
    const { session_age_ms: age } = sent[0] as { session_age_ms: number };
    expect(Number.isInteger(age)).toBe(true);
    expect(age).toBeGreaterThanOrEqual(5_000);
    expect(age).toBeLessThanOrEqual(5_000 + elapsed);
  });

  it('is left out for an API of the former release, which does not know the field', async () => {
    const sent: object[][] = [];
    const answer = await sendWithAges([{ sessionBegan: 0 }, { n: 2 }], async (aged) => {
      sent.push(aged);
      if (sent.length === 1) throw refusal('items[0].session_age_ms', 'is not a known field');
      return 'answered';
    });
    expect(answer).toBe('answered');
    expect(sent[1]).toEqual([{}, { n: 2 }]);
  });

  it.each([
    refusal('items[0].session_age_ms', 'must be an integer from 0 to 315360000000'),
    refusal('items[0].claims', 'is not a known field'),
    new ApiProblem(503, 'overloaded', 'Try again', [], null),
    new Error('closed'),
  ])('is sent once whatever else happens: %s', async (error) => {
    let times = 0;
    const sending = sendWithAges([{ sessionBegan: 0 }], async () => {
      times += 1;
      throw error;
    });
    await expect(sending).rejects.toBe(error);
    expect(times).toBe(1);
  });
});
