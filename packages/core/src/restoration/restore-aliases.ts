import type { Alias } from '../aliases/alias.js';
import { AliasDestinations } from '../aliases/alias-destinations.js';
import { needs } from '../needs.js';
import { byId, inChunks } from '../page.js';
import { decideAliases } from './decide-aliases.js';
import type { DeletedItem } from './deleted-item.js';
import { DeletedItems } from './deleted-items.js';

/** At most two addresses an alias: MariaDB handles lists of 1,000 or more addresses worse. */
const ALIASES_PER_READ = 400;

/** Restores the aliases of a deletion, as far as both their ends exist. The mailboxes must be restored before. */
@needs(DeletedItems, AliasDestinations)
export class RestoreAliases {
  constructor(
    private readonly deleted: DeletedItems,
    private readonly destinations: AliasDestinations,
  ) {}

  /** @returns the aliases that were left out, and the number of restored ones. */
  async execute(item: DeletedItem, restoredAt: Date): Promise<{ restored: number; leftOut: Alias[] }> {
    const leftOut: Alias[] = [];
    let restored = 0;
    const mayForward = await this.destinations.mayForward();
    for await (const { rows } of inChunks(
      byId((page) => this.deleted.aliases(item.id, page)),
      ALIASES_PER_READ,
    )) {
      if (rows.length === 0) continue;
      const facts = await this.deleted.aliasFacts(item.partnerId, rows);
      const decided = decideAliases(rows, facts, mayForward);
      await this.deleted.restoreAliases(item, decided.restored, restoredAt);
      await this.deleted.dropAliases(item, decided.existing);
      leftOut.push(...decided.leftOut);
      restored += decided.restored.length;
    }
    return { restored, leftOut };
  }
}
