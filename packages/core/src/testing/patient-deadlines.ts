import { DEADLINE_FACTOR } from '../../../../scripts/test-timeout.mjs';
import { scaleDeadlines } from '../deadlines.js';

/** Jest loads this before each test file. A test that is about a deadline sets the factor to 1 itself. */
scaleDeadlines(DEADLINE_FACTOR);
