import { expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { readDoveadmAnswer } from './doveadm-answer.js';

/** Of the names in an answer of `who`; the one of sizes costs less. */
const FIELD = /"username":"([^"\\]+)"/g;

const LONGEST = 4_194_304;
/** As undici passes them on. */
const CHUNK_BYTES = 16_384;
const BEGINNING = '[["doveadmResponse",[';
const PIECES = [
  '{"username":"a@b.test","size.physical":"1"},',
  '"size.physical":"1',
  '"username":"',
  '"size.physical":"',
  '[["error",{"type":"exitCode","exitCode":',
  '"exitCode": ',
  '},',
  ']]',
];

describe('an answer of doveadm', () => {
  it.each([
    [200, BEGINNING],
    [200, ''],
    [502, ''],
  ])('of 4 MB takes at most 2.5 times as long as one of half: status %i, %s', async (status, beginning) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(200, 3),
      inputOf: (text) => Buffer.from(beginning + text),
      read: (answer) => readDoveadmAnswer(status, chunksOf(answer), FIELD, () => undefined),
    });
  });
});

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}
