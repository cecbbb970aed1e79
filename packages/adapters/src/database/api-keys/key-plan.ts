import type { KeyBeginnings, KeyFilter } from '@mailstead/core/api-keys/api-key-repository';
import type { Database } from '../driver/database.js';
import { anyBeginning, type Beginning, ofPartnersBeginning } from '../finding/beginnings.js';
import { ofPartner, textBeginsWith } from '../finding/conditions.js';
import { partnerOfList } from '../finding/partner-of-list.js';
import { type Condition, type IdSource, narrowOf, type SearchPlan } from '../finding/search-plan.js';

/** Plans the search for API keys, which only operators make. @returns null when none can be found */
export async function keyPlan(database: Database, { partnerRef, begins }: KeyFilter): Promise<SearchPlan | null> {
  const partner = await partnerOfList(database, 'all', partnerRef);
  if (partner === null) return null;
  const own = ofPartner(partner, 'k.partner_id');
  const list = inIndex(database, partner === 'all' ? 'PRIMARY' : 'ix_api_key_partner', own);
  const any = begins === undefined ? undefined : anyBeginning(await beginningsOf(database, begins));
  if (any === null) return null;
  const groups = [...(any?.sources ? [any.sources] : []), ...(partner === 'all' ? [] : [[list]])];
  return {
    from: `api_key k${database.dialect.byPrimaryKey}`,
    id: 'k.id',
    conditions: [...own, ...(any === undefined ? [] : [any.condition])],
    narrow: begins === undefined ? [] : narrowOf(groups, []),
    walk: [list],
    isWalkComplete: begins === undefined,
  };
}

async function beginningsOf(database: Database, { name, partnerRef }: KeyBeginnings): Promise<Beginning[]> {
  const found: Beginning[] = [];
  if (name !== null) {
    const begins = textBeginsWith('k.name', name);
    found.push({ condition: begins, source: inIndex(database, 'ix_api_key_name', [begins]) });
  }
  if (partnerRef !== null) {
    const ofPartners = (among: Condition) => inIndex(database, 'ix_api_key_partner', [among]);
    found.push(...(await ofPartnersBeginning(database, partnerRef, 'k.partner_id', ofPartners)));
  }
  return found;
}

function inIndex(database: Database, index: string, conditions: Condition[]): IdSource {
  return { from: `api_key k${database.dialect.byIndex(index)}`, id: 'k.id', conditions };
}
