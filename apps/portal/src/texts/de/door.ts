import type { Texts } from '../texts.js';

export const door = {
  enter: 'Anmelden',
  withKey: 'Mit Ihrem Schlüssel anmelden',
  withLink: 'Mit Ihrem Link anmelden',
  loggedOut: 'Sie sind abgemeldet',
  sessionEnded:
    'Der Schlüssel wurde widerrufen oder ist abgelaufen, jemand hat die Sitzung beendet, oder sie wurde lange nicht benutzt. Melden Sie sich noch einmal an, um fortzufahren.',
  key: 'Schlüssel',
  keyWhat: 'Ein API-Schlüssel oder das Token eines Betreibers. Er wird in diesem Browser nicht gespeichert.',
  showKey: 'Schlüssel zeigen oder verbergen',
  noKey:
    'Noch kein Schlüssel? Bitten Sie den Betreiber dieses Dienstes um einen. Programme benutzen <api>die API</api>.',
  notAKey:
    'Das ist kein Schlüssel: Ein Schlüssel hat keine Leerzeichen und nur Buchstaben von A bis Z. Kopieren Sie den ganzen Schlüssel noch einmal.',
  looking: 'Der Link wird geprüft',
  loggedInAs: 'Sie sind angemeldet als {name}',
  aLink: 'ein Link',
  sessionEnds: 'Wenn Sie sich mit dem Link anmelden, endet diese Sitzung in diesem Browser.',
  unusable: 'Dieser Link kann nicht benutzt werden',
  unusableWhy:
    'Ein Link gilt nicht mehr, wenn er benutzt oder gelöscht wurde oder abgelaufen ist. Bitten Sie um einen neuen.',
  unusableAsk:
    'Ein Link gilt nicht mehr, wenn er benutzt oder gelöscht wurde oder abgelaufen ist. Bitten Sie {name} um einen neuen.',
  endAndEnter: 'Diese Sitzung beenden und anmelden',
  useKey: 'Stattdessen einen Schlüssel benutzen',
  keepSession: 'Diese Sitzung behalten',
  validUntil: 'Der Link gilt bis <time></time>.',
  seesDns: 'Sie sehen dann die DNS-Einträge von {domain}, und sonst nichts.',
  manages: 'Sie verwalten dann {domain}: Postfächer, Aliasse und Versand.',
  operates: 'Sie sind dann der Betreiber dieses Dienstes, der alles sehen und ändern kann.',
} satisfies Texts['door'];
