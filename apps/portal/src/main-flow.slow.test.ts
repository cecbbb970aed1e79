import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { mainFlow } from './testing/main-flow.js';

onEachDatabase(mainFlow);
