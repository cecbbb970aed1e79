import type { Alias } from '../aliases/alias.js';
import type { DeletedItem } from './deleted-item.js';

/** The result of a restoration. */
export interface RestoredItem {
  kind: DeletedItem['kind'];
  /** The domain name, or the address of the mailbox. */
  name: string;
  /** The aliases that did not come back, because their other end is gone or their address is a mailbox now. */
  leftOut: Alias[];
}
