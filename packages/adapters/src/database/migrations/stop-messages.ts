import { addColumn, document } from './alterations.js';
import type { Migration } from './step.js';

/** What operators tell partners about the stops of their mail. */
export const stopMessages: Migration['statements'] = ['domain', 'deleted_domain', 'partner'].map((table) =>
  addColumn(table, 'stop_messages', document()),
);
