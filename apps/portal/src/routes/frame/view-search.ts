import { retainSearchParams } from '@tanstack/react-router';
import { textOf } from '../search-text.js';

/**
 * `?as=<partner>`: an operator sees what the partner sees, without writing controls. It stays from screen to screen.
 */
export interface ViewSearch {
  as?: string | undefined;
}

export const viewSearch = {
  validate: (search: Record<string, unknown>): ViewSearch => ({ as: textOf(search.as) }),
  keep: retainSearchParams<ViewSearch>(['as']),
};
