import { mainFlow } from './testing/main-flow.js';

describe('the main flow on sqlite', () => {
  mainFlow('sqlite');
});
