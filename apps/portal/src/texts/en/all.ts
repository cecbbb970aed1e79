import { first } from './first.js';
import { later } from './later.js';

export const en = { ...first, ...later };
