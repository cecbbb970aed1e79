import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectLinearCost, expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { FailClosed } from '../fallback/fallback.js';
import { UnusedCounts } from '../fallback/unused-counts.js';
import { PolicydParts } from '../testing/policyd-parts.js';
import { SettableApi } from '../testing/settable-api.js';
import { PolicyRequestReader } from './policy-request.js';

/** The most that the reader keeps of a request. */
const LONGEST = 65_000;
const PIECES = ['request=smtpd_access_policy', 'recipient=a@b.test', 'a=\n', 'a@', '!a%', '=\n=', '\n\n'];
const NAMES = ['recipient', 'sasl_username', 'client_address', 'client_port', 'instance', 'policy_context', 'other'];

describe('a policy request of 65,000 characters', () => {
  let folder: string;
  let parts: PolicydParts;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-costs-'));
    const unused = await UnusedCounts.open(folder, () => undefined);
    parts = new PolicydParts(new SettableApi(), new FailClosed(), unused);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Reads the bytes and answers the requests in them. */
  async function answer(chunks: readonly Buffer[]): Promise<void> {
    const reader = new PolicyRequestReader();
    try {
      for (const chunk of chunks) for (const request of reader.read(chunk)) await parts.rcpt('', {}, request);
    } catch {
      // The connection is closed.
    }
  }

  function chunksOf(text: string, size: number): Buffer[] {
    const bytes = Buffer.from(text);
    const count = Math.ceil(bytes.length / size);
    return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
  }

  it.each([100, LONGEST])('takes at most 2.5 times as long as one of half, in chunks of %i bytes', async (size) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(500, 6),
      inputOf: (text) => chunksOf(text, size),
      read: answer,
    });
  });

  it('takes at most 2.5 times as long in twice as many chunks of one byte', async () => {
    for (const unit of sampled(PIECES, 2)) {
      await expectLinearCost(LONGEST, (length) => chunksOf(unit.repeat(length / unit.length), 1), answer);
    }
  });

  it.each(NAMES)('takes at most 2.5 times as long when %s is twice as long', async (name) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(300, 4),
      inputOf: (text) => {
        const value = text.replaceAll('\n', ' ');
        return [Buffer.from(`request=smtpd_access_policy\nprotocol_state=RCPT\n${name}=${value}\n\n`)];
      },
      read: answer,
    });
  });
});
