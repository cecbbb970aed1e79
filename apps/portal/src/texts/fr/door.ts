import type { Texts } from '../texts.js';

export const door = {
  enter: 'Entrer',
  withKey: 'Entrer avec votre clé',
  withLink: 'Entrer avec votre lien',
  loggedOut: 'Vous êtes déconnecté',
  sessionEnded:
    'Sa clé a été révoquée ou a expiré, quelqu’un a mis fin à la session, ou elle n’a pas servi depuis longtemps. Entrez de nouveau pour continuer.',
  key: 'Clé',
  keyWhat: 'Une clé d’API, ou le jeton d’un opérateur. Elle n’est pas gardée dans ce navigateur.',
  showKey: 'Afficher ou masquer la clé',
  noKey: 'Pas encore de clé ? Demandez-en une à l’opérateur de ce service. Les programmes utilisent <api>l’API</api>.',
  notAKey:
    'Ceci n’est pas une clé : une clé n’a ni espaces ni autres lettres que A à Z. Copiez de nouveau la clé entière.',
  looking: 'Examen du lien',
  loggedInAs: 'Vous êtes connecté en tant que {name}',
  aLink: 'un lien',
  sessionEnds: 'Si vous entrez avec le lien, cette session prend fin dans ce navigateur.',
  unusable: 'Ce lien ne peut pas être utilisé',
  unusableWhy: 'Un lien prend fin quand il a été utilisé ou supprimé, ou qu’il a expiré. Demandez-en un nouveau.',
  unusableAsk:
    'Un lien prend fin quand il a été utilisé ou supprimé, ou qu’il a expiré. Demandez-en un nouveau à {name}.',
  endAndEnter: 'Mettre fin à cette session et entrer',
  useKey: 'Utiliser plutôt une clé',
  keepSession: 'Garder cette session',
  validUntil: 'Le lien est valable jusqu’au <time></time>.',
  seesDns: 'Vous verrez les enregistrements DNS de {domain}, et rien d’autre.',
  manages: 'Vous gérerez {domain} : ses boîtes aux lettres, ses alias et ses envois.',
  operates: 'Vous serez l’opérateur de ce service, qui peut tout voir et tout modifier.',
} satisfies Texts['door'];
