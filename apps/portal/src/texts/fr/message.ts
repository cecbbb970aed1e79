import type { Texts } from '../texts.js';

export const ask = {
  message: 'Qu’est devenu un message ?',
  mailbox: 'Que sont devenus ses messages ?',
  about: 'Destinataire, ou Message-ID entre < >',
} satisfies Texts['ask'];

export const message = {
  title: 'Messages',
  mailbox: 'Boîte d’ici qui l’a envoyé ou reçu',
  anyState: 'Dans tout état',
  showAny: 'Afficher tous les états',
  find: 'Chercher',
  one: 'message',
  many: 'messages',
  when: 'Quand',
  from: 'De',
  to: 'À',
  what: 'Ce qu’il est devenu',
  notice: 'un avis d’un serveur de messagerie',
  others: 'd’autres adresses de {domain}',
  times: '{count, number} fois',
  none: 'Aucun message connu',
  noneWhat: 'Seuls les messages des derniers jours sont gardés, et seuls ceux qui ont atteint ces serveurs.',
  lastDay:
    'Ce sont les messages des dernières 24 heures. Avec un destinataire, une boîte ou un Message-ID, tous ceux qui sont gardés sont parcourus.',
  behind:
    'Les serveurs rapportent avec un retard de {minutes, plural, one {# minute} many {# minutes} other {# minutes}} : les messages plus récents ne sont pas encore ici.',
  gaps: 'Des messages depuis <time></time> peuvent manquer.',
  unseen:
    'Ne se voit pas ici : le courrier qui n’a jamais atteint ces serveurs, ce qu’un autre serveur a fait d’un message accepté, et ce qu’un logiciel de messagerie en a fait.',
  relayRefused: 'le service qui remet le courrier aux autres serveurs l’a refusé ({code})',
  failed: 'Messages des dernières 24 heures qui ne sont pas arrivés :',
  back: 'Tous les messages',
  aMessage: 'Un message',
  facts: 'Le message',
  steps: 'Ce qui s’est passé',
  size: 'Taille',
  id: 'Message-ID',
  domain: 'Domaine',
  said: 'Ce que le serveur a dit',
} satisfies Texts['message'];

export const became = {
  accepted: 'En route',
  deferred: 'Attend, et sera réessayé',
  refused: 'Refusé ici',
  stored: 'Dans la boîte',
  forwarded: 'Renvoyé à un autre serveur',
  relayed: 'Remis pour livraison',
  delivered: 'Accepté par le serveur du destinataire',
  bounced: 'Non livré, et abandonné',
  complained: 'Livré, et signalé comme spam',
} satisfies Texts['became'];

export const step = {
  accepted: 'Il a été accepté de son expéditeur.',
  deferred: 'Il n’a pas encore pu être livré. Il attend, et sera réessayé.',
  refused: 'Il a été refusé ici.',
  stored: 'Il a été déposé dans la boîte.',
  forwarded: 'Il a été renvoyé à un autre serveur, qui l’a accepté.',
  relayed: 'Il a été remis au service qui livre le courrier aux autres serveurs.',
  delivered: 'Le serveur du destinataire l’a accepté.',
  bounced: 'Il a été abandonné : le destinataire ne le reçoit pas.',
  complained: 'Le destinataire l’a signalé comme spam.',
} satisfies Texts['step'];

export const refusal = {
  unknown_recipient: 'cette adresse n’existe pas ici',
  recipient_suppressed: 'cette adresse ne fonctionne pas ou ne veut pas de courrier',
  session_ended:
    'le logiciel de messagerie s’était connecté avant la modification du mot de passe ou de la boîte, et doit se reconnecter',
  expired: 'il avait attendu trop longtemps',
  General: 'le serveur du destinataire l’a refusé',
  NoEmail: 'l’adresse n’existe pas',
  MailboxFull: 'la boîte du destinataire est pleine',
  MessageTooLarge: 'il est trop grand pour le serveur du destinataire',
  ContentRejected: 'le serveur du destinataire a refusé son contenu',
  AttachmentRejected: 'le serveur du destinataire a refusé sa pièce jointe',
} satisfies Texts['refusal'];
