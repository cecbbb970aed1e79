import { limitedCallerSuite } from '../testing/limited-caller-suite.js';

describe('on sqlite', () => {
  limitedCallerSuite('sqlite');
});
