import type { Alias } from '../aliases/alias.js';
import type { Actor } from '../operators/actor.js';
import type { Partner } from '../partners/partner.js';
import type { DeletedItem } from './deleted-item.js';

/** Restores deletions of one kind, in the caller's unit of work and with the partner locked. */
export abstract class RestoreStrategy {
  /** @returns the aliases that were left out, as in `RestoredItem` */
  abstract execute(actor: Actor, partner: Partner, item: DeletedItem, now: Date): Promise<Alias[]>;
  /** Whether the row that was restored still exists. */
  abstract stillExists(item: DeletedItem): Promise<boolean>;
}
