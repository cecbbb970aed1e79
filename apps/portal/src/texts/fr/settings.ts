import type { Texts } from '../texts.js';

export const settings = {
  nothing: 'Rien à modifier ici',
  nothingWhy: 'Vous pouvez lire ce domaine, mais pas le modifier.',
  reference: 'Référence',
  ownReference: 'Votre propre référence',
  ownReferenceWhat: 'Par exemple un numéro de client ou de contrat',
  outsideSenders: 'E-mails de l’extérieur en votre nom',
  refuseOutsideSenders: 'Les refuser',
  refuseOutsideSendersWhat:
    'Les e-mails avec un expéditeur de ce domaine ne sont alors acceptés que de ses propres utilisateurs, après connexion. Les lettres d’information et les listes que d’autres envoient au nom du domaine n’arrivent plus dans les boîtes d’ici.',
  suspend: 'Suspendre',
  suspended: 'Suspendu',
  isStopped:
    'Les e-mails entrants attendent chez leurs expéditeurs, personne ne peut se connecter, et rien n’est perdu.',
  stops:
    'Les e-mails entrants attendent alors chez leurs expéditeurs, personne ne peut se connecter ni envoyer, et rien n’est perdu.',
  cause: 'Cause',
  suspendedCause: 'Suspendu {cause}.',
  message: 'Message au partenaire',
  messageWhat: 'Les clés du partenaire le lisent avec la suspension, ses clients non.',
  activate: 'Réactiver',
  activateCause: 'Réactiver, en levant la cause {cause}',
  lifted: '{name} : la cause {cause} est levée.',
  isSuspended: '{name} est suspendu.',
  delete: 'Supprimer',
  deleteDomain: 'Supprimer le domaine',
  deleteWhat:
    'Le domaine, {mailboxes} et {aliases} sont supprimés aussitôt. Ils peuvent être restaurés pendant quelques jours.',
  deleteConsequence:
    '{mailboxes} et {aliases} sont supprimés avec lui. Tout peut être restauré pendant quelques jours.',
  deleted: '{name} est supprimé.',
  changedMeanwhile: 'Quelqu’un d’autre a modifié ceci entre-temps',
  isNow: '{field} est maintenant : {value}',
  saveAgain: 'Votre saisie n’a pas été enregistrée. Elle est toujours là : enregistrez à nouveau pour l’appliquer.',
  on: 'activé',
  off: 'désactivé',
} satisfies Texts['settings'];
