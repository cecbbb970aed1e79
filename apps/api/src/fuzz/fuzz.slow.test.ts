import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { fuzzSuite } from './testing/fuzz-suite.js';

describe('the long fuzz', () => {
  fuzzSuite(onEachDatabase, 10_000);
});
