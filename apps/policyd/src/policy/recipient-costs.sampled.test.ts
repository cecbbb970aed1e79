import { expectCostNear, expectLinearCost } from '@mailstead/core/testing/linear-cost';
import type { Submitter } from '../submission.js';
import { HeadroomMemory } from './headroom-memory.js';
import { RecipientMemory } from './recipient-memory.js';

/** Half of them have ended. */
const MESSAGES = 66_000;
/** Below the daemon's bound, and above a power of two, so that a map has the most places of removed entries. */
const LOGINS = 8_200;
const ROUNDS = 3;
/** It is 1.2 to 2; a walk over the removed places makes it 10 and more. */
const MOST_OF_FLOOR = 5;

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

describe('the policy daemon, however many logins have a headroom', () => {
  it('takes as long for the next preview', async () => {
    const verdict = { action: 'accept', reason: null, counts_as: 1, headroom: 1_000 };
    const submitters = Array.from({ length: LOGINS }, (_, number) => ({
      login: `m${number}@acme.test`,
      domain: 'acme.test',
    }));
    const memory = new HeadroomMemory(() => 0);
    const [answers, logins] = [new Map<string, object>(), new Set<string>()];
    const rounds = (note: (submitter: Submitter) => void) => () => {
      for (let round = 0; round < ROUNDS; round += 1) for (const submitter of submitters) note(submitter);
    };
    // The oldest login each time, which becomes the newest: the removed places are all before the oldest entry.
    const noteAll = rounds((submitter) => memory.notePreview(submitter, verdict, 0));
    const setAll = rounds(({ login }) => {
      answers.delete(login);
      answers.set(login, verdict);
      logins.delete(login);
      logins.add(login);
    });
    noteAll();
    setAll();
    // Not two numbers of logins: an entry of a map costs four times as much from 2,049 entries on.
    await expectCostNear(setAll, MOST_OF_FLOOR, noteAll);
  });
});
