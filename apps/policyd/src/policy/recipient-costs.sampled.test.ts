import { expectLinearCost } from '@mailstead/core/testing/linear-cost';
import { RecipientMemory } from './recipient-memory.js';

/** Half of them have ended. */
const MESSAGES = 66_000;

describe('the policy daemon, however many messages have ended', () => {
  it('takes as long for the next recipient', async () => {
    const note = (memory: RecipientMemory, session: number) =>
      memory.note({ session: `${session}`, instance: 'a', domain: 'acme.test' }, 'x@out.test', 1);
    await expectLinearCost(
      MESSAGES,
      (length) => {
        const memory = new RecipientMemory();
        for (let session = 0; session < length; session += 1) note(memory, session);
        for (let session = 0; session < length / 2; session += 1) memory.forget(`${session}`);
        return { memory, length };
      },
      // The same message, so that no memory is needed, whose collection would count.
      ({ memory, length }) => {
        for (let count = 0; count < length; count += 1) note(memory, length - 1);
      },
    );
  });
});
