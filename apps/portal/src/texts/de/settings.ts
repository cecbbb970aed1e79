import type { Texts } from '../texts.js';

export const settings = {
  nothing: 'Hier gibt es nichts zu ändern',
  nothingWhy: 'Sie dürfen diese Domain lesen, aber nicht ändern.',
  reference: 'Kennung',
  ownReference: 'Ihre eigene Kennung',
  ownReferenceWhat: 'Zum Beispiel eine Kunden- oder Vertragsnummer',
  outsideSenders: 'E-Mails von außen in Ihrem Namen',
  refuseOutsideSenders: 'Ablehnen',
  refuseOutsideSendersWhat:
    'E-Mails mit einem Absender dieser Domain werden dann nur von den eigenen Benutzern nach einer Anmeldung angenommen. Newsletter und Mailinglisten, die andere im Namen der Domain versenden, erreichen die Postfächer hier nicht mehr.',
  suspend: 'Sperren',
  suspended: 'Gesperrt',
  isStopped: 'Eingehende E-Mails warten bei ihren Absendern, niemand kann sich anmelden, und nichts geht verloren.',
  stops:
    'Eingehende E-Mails warten dann bei ihren Absendern, niemand kann sich anmelden oder senden, und nichts geht verloren.',
  cause: 'Ursache',
  suspendedCause: 'Gesperrt {cause}.',
  message: 'Nachricht an den Partner',
  messageWhat: 'Die Schlüssel des Partners lesen sie bei der Sperre, seine Kunden nicht.',
  activate: 'Freigeben',
  activateCause: 'Freigeben und die Ursache {cause} aufheben',
  lifted: '{name}: Die Ursache {cause} ist aufgehoben.',
  isSuspended: '{name} ist gesperrt.',
  delete: 'Löschen',
  deleteDomain: 'Domain löschen',
  deleteWhat:
    'Die Domain, {mailboxes} und {aliases} werden sofort gelöscht. Einige Tage lang können sie wiederhergestellt werden.',
  deleteConsequence:
    '{mailboxes} und {aliases} werden mit gelöscht. Einige Tage lang kann alles wiederhergestellt werden.',
  deleted: '{name} ist gelöscht.',
  changedMeanwhile: 'Jemand anderes hat das inzwischen geändert',
  isNow: '{field} ist jetzt: {value}',
  saveAgain: 'Ihre Eingabe wurde nicht gespeichert. Sie steht noch hier: Speichern Sie noch einmal, um sie zu setzen.',
  on: 'an',
  off: 'aus',
} satisfies Texts['settings'];
