import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { fuzzSuite } from './testing/fuzz-suite.js';

describe('the fuzz', () => {
  fuzzSuite(onHttpDatabase, 300);
});
