import type { Texts } from '../texts.js';

export const mail = {
  now: 'Les e-mails maintenant',
  inactive: 'Désactivée : personne ne peut se connecter, et rien n’est envoyé',
  switchOn: 'On la réactive plus bas.',
  maySend: 'Peut envoyer',
  atRisk: 'Des enregistrements DNS manquent : l’envoi est encore autorisé, mais bientôt plus.',
  noMx: 'Aucun e-mail n’arrive : le domaine n’a pas d’enregistrement MX qui mène ici.',
  mxElsewhere: 'Les e-mails arrivent d’abord sur d’autres serveurs.',
  mxMailboxes: 'Aucun e-mail n’arrive ici : ils arrivent dans des boîtes aux lettres de Google ou Microsoft.',
  why: 'Pourquoi',
  whatNow: 'Que faire',
  mxFirst: 'Les e-mails arrivent d’abord sur {hosts}.',
  mxSay: 'S’ils sont transmis de là à ce service, indiquez-le une fois, avec les enregistrements DNS du domaine.',
  noSpf:
    'Les destinataires peuvent traiter les e-mails comme du spam : aucun enregistrement SPF du domaine n’autorise ce service à envoyer.',
  limitedBy: 'Cela vient du domaine parent {parent}.',
  causes: 'Causes',
  since: 'Depuis : <time></time>.',
  causeSince: '{cause}, depuis : <time></time>',
  setBy: '{cause} (décidé par {by})',
  which: 'Quels enregistrements DNS manquent',
  endsAt: 'Cela prend fin de soi-même : <time></time>.',
  also: 'De plus : {reasons}.',
  whoMustAct: 'Qui doit agir : {who}.',
  billing: 'la facturation, une fois la facture payée',
  operator: 'l’opérateur',
  operatorYou: 'l’opérateur (vous)',
  partner: 'le partenaire',
  you: 'vous',
  provider: 'votre fournisseur',
  ask: 'Demandez à <b>{name}</b>',
  says: 'L’opérateur écrit : {message}',
  isSuspended: 'Suspendu',
  isSuspendedForAbuse: 'Suspendu pour abus',
  isStopped: 'Arrêté',
  isStoppedByBounces: 'Arrêté, car trop de messages sont revenus',
  isStoppedByReports: 'Arrêté, car trop de destinataires ont signalé ses e-mails comme spam',
  pausedBy: 'Le relais n’envoie pas les e-mails du partenaire en ce moment.',
  bounced: '{count, number} messages sur {sent, number} sont revenus entre le {from} et le {to} : <b>{rate}</b>.',
  reported:
    '{count, number} messages sur {sent, number} ont été signalés comme spam entre le {from} et le {to} : <b>{rate}</b>.',
  rateLimit: 'La limite est de {limit}.',
  mendBounces: 'Avant un nouvel envoi, les adresses qui n’existent pas doivent être retirées des listes.',
  mendReports:
    'Avant un nouvel envoi, les destinataires qui n’ont pas demandé ces e-mails doivent être retirés des listes.',
  addresses: 'Voir les adresses',
  usedOfDay: '{used, number} destinataires du jour sur {value, number} sont utilisés.',
  usedOfMonth: '{used, number} destinataires du mois sur {value, number} sont utilisés.',
  usedOfMailbox: '{used, number} destinataires de cette boîte sur {value, number} sont utilisés aujourd’hui.',
  usedOfTransfer: '{used} sur {value} de ce mois sont utilisés.',
  ownLimit: 'C’est votre propre limite, plus basse que celle de l’opérateur.',
  ownLimitOfPartner: 'C’est la propre limite du partenaire, plus basse que celle de l’opérateur.',
  ownLimitOfDomain: 'C’est une limite fixée pour ce domaine.',
  raise: 'Relever la limite',
  changedBelow: 'La limite de la boîte se modifie plus bas.',
  capReached: '{incoming}, car le plafond de transfert de ce mois est atteint',
} satisfies Texts['mail'];

export const stopped = {
  sender_not_allowed: 'L’adresse de l’expéditeur n’est pas autorisée',
  domain_suspended: 'Suspendu, donc les e-mails attendent',
  outbound_blocked: 'L’envoi est bloqué',
  relay_paused: 'L’envoi est suspendu, donc les e-mails attendent',
  not_verified: 'Non vérifié, donc l’envoi n’est pas autorisé',
  message_exceeds_limit: 'Aucun message ne tient dans les limites',
  mailbox_limit: 'La boîte aux lettres a atteint sa limite du jour : ses e-mails attendent jusqu’à 00:00 UTC',
  daily_limit: 'La limite du jour est atteinte : les e-mails attendent jusqu’à 00:00 UTC',
  monthly_limit: 'La limite du mois est atteinte : les e-mails attendent jusqu’au 1er du mois prochain',
  transfer_limit: 'Le plafond de transfert du mois est atteint : les e-mails attendent jusqu’au 1er du mois prochain',
  counter_overflow: 'Le compteur est plein',
  restore_not_accepted: 'Le service a été restauré depuis une sauvegarde et est en cours de vérification',
} satisfies Texts['stopped'];

export const monitored = {
  mailbox_limit: 'Peut envoyer ; au-dessus de la limite de la boîte aux lettres, qui est seulement surveillée',
  daily_limit: 'Peut envoyer ; au-dessus de la limite du jour, qui est seulement surveillée',
  monthly_limit: 'Peut envoyer ; au-dessus de la limite du mois, qui est seulement surveillée',
  transfer_limit: 'Peut envoyer ; au-dessus du plafond de transfert, qui est seulement surveillé',
} satisfies Texts['monitored'];

export const also = {
  sender_not_allowed: 'l’adresse de l’expéditeur n’est pas autorisée',
  domain_suspended: 'suspendu',
  outbound_blocked: 'l’envoi est bloqué',
  relay_paused: 'l’envoi est suspendu',
  not_verified: 'non vérifié',
  message_exceeds_limit: 'aucun message ne tient dans les limites',
  mailbox_limit: 'la limite de la boîte aux lettres est atteinte',
  daily_limit: 'la limite du jour est atteinte',
  monthly_limit: 'la limite du mois est atteinte',
  transfer_limit: 'le plafond de transfert du mois est atteint',
  counter_overflow: 'le compteur est plein',
  restore_not_accepted: 'le service a été restauré depuis une sauvegarde',
} satisfies Texts['also'];

export const suspended = {
  domain: 'Suspendu {cause}',
  partner: 'Suspendu, avec tous les domaines de son partenaire, {cause}',
  parent: 'Suspendu, avec son domaine parent, {cause}',
} satisfies Texts['suspended'];

export const blocked = {
  domain: 'Bloqué {cause}',
  partner: 'Bloqué, avec tous les domaines de son partenaire, {cause}',
  parent: 'Bloqué, avec son domaine parent, {cause}',
} satisfies Texts['blocked'];

export const incoming = {
  accept: 'Les e-mails entrants sont acceptés',
  defer: 'Les e-mails entrants attendent chez leurs expéditeurs et ne sont pas perdus',
  none: 'Les e-mails entrants ne sont acceptés qu’une fois le domaine vérifié',
} satisfies Texts['incoming'];
