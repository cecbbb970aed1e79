import { randomInt } from 'node:crypto';
import { fuzzSuite } from './testing/fuzz-suite.js';

describe('the long fuzz', () => {
  fuzzSuite(50_000, randomInt(2 ** 31));
});
