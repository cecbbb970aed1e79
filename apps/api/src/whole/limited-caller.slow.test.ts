import { limitedCallerSuite } from '../testing/limited-caller-suite.js';

describe('on mariadb', () => {
  limitedCallerSuite('mariadb');
});
describe('with a session of the key', () => {
  limitedCallerSuite('sqlite', 'session of a key');
});
describe('with a session of a manage link', () => {
  limitedCallerSuite('mariadb', 'manage link');
});
describe('with a session of a dns link', () => {
  limitedCallerSuite('sqlite', 'dns link', 5);
});
