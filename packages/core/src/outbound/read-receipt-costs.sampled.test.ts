import { expectLinearTexts } from '../testing/linear-cost.js';
import { sampleSize } from '../testing/sampled.js';
import { isReadReceipt } from './read-receipt.js';

const PIECES = [
  'multipart/report',
  '; report-type=disposition-notification',
  '; boundary="',
  '\\"',
  '(a(',
  ')',
  '\r\n\t',
  '=',
  ';',
];

test('reading a Content-Type takes at most 2.5 times as long when it is twice as long', async () => {
  // A longer one is not read.
  const longest = 2_000;
  await expectLinearTexts({
    pieces: PIECES,
    longest,
    draws: sampleSize(500, 20),
    inputOf: (text) => [
      text,
      `multipart/report;${text}`.slice(0, longest),
      `multipart/report;(${text}`.slice(0, longest),
    ],
    read: (values) => values.map(isReadReceipt),
  });
});
