import type { Texts } from '../texts.js';

export const alias = {
  one: 'Alias',
  many: 'Aliasse',
  count: '{count, plural, one {# Alias} other {# Aliasse}}',
  search: 'Nach dem Anfang der Adresse suchen',
  noneYet: 'Noch keine Aliasse',
  noneYetWhat:
    'Ein Alias gibt die E-Mails einer Adresse an ein Postfach weiter. Ein Catch-all nimmt jede Adresse an, die sonst nichts ist.',
  addFirst: 'Ersten Alias hinzufügen',
  noMatch: 'Kein Alias passt',
  address: 'Adresse',
  deliversTo: 'Stellt zu an',
  added: 'Hinzugefügt',
  change: 'Ändern',
  delete: 'Löschen',
  hidden: 'ein Postfach, das Sie nicht sehen',
  isCatchAll: '(Catch-all)',
  add: 'Alias hinzufügen',
  addTitle: 'Einen Alias hinzufügen',
  partIsEnough: 'Der Teil vor @{domain} genügt',
  catchAll: 'Catch-all',
  catchAllWhat: 'Nimmt die E-Mails jeder Adresse der Domain an, die weder Postfach noch Alias ist',
  destinationWhat: 'Ein Postfach; der Teil vor @{domain} genügt',
  deleted: '{address} stellt nicht mehr an {destination} zu.',
  cannotUndo: 'Sie sehen nicht, wohin der Alias zustellt. Deshalb können Sie das nicht rückgängig machen.',
} satisfies Texts['alias'];
