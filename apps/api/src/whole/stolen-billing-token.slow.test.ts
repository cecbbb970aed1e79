import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { stolenTokenSuite } from '../testing/stolen-token-suite.js';

onEachDatabase((kind) => {
  stolenTokenSuite(kind);
});
