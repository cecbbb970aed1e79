import type { Texts } from '../texts.js';

export const dns = {
  readingState: 'Lecture de l’état',
  asking: 'Interrogation des serveurs de noms',
  verifiedByParent: 'La vérification de {parent} vaut pour ce domaine.',
  maySend: 'Le domaine peut envoyer.',
  publishBelow:
    'Publiez les enregistrements ci-dessous là où le DNS du domaine est géré. Cette page passe au vert d’elle-même, le plus souvent en quelques minutes.',
  checked: 'Vérifié : <time></time>.',
  zoneFile: 'Fichier de zone',
  recommended: 'Recommandé',
  examples: 'Exemples',
  examplesWhy:
    'Les serveurs de messagerie de ce service ne sont pas encore configurés. Les enregistrements ci-dessous sont donc des exemples : ne les publiez pas.',
  rightCount: '{count, plural, one {# enregistrement est correct} other {# enregistrements sont corrects}}',
  checkNow: 'Vérifier maintenant',
  toPublish:
    '{count, plural, one {# enregistrement à publier ou à corriger.} other {# enregistrements à publier ou à corriger.}}',
  unchecked:
    '{count, plural, one {# enregistrement n’a pas pu être vérifié.} other {# enregistrements n’ont pas pu être vérifiés.}}',
  allRight: 'Tous les enregistrements requis sont corrects.',
  where: 'Où publier les enregistrements',
  publishInZone: 'Publiez ces enregistrements dans la zone DNS {zone}',
  zoneIsAt: 'Le DNS de {zone} est chez {provider}',
  elsewhere:
    'Connectez-vous là où le domaine a été enregistré, ou là où son DNS a été transféré, et ajoutez les enregistrements à sa zone DNS.',
  shortNames:
    'La plupart des fournisseurs demandent le nom court, où @ désigne {zone} même ; certains demandent le nom complet.',
  nameServers: 'Ses serveurs de noms sont <names></names>.',
  andOthers: ' et d’autres',
  front: 'Serveurs placés devant ce service',
  frontWhat:
    'Ces serveurs transmettent-ils tous les e-mails à ce service, comme le fait un filtre ? Alors indiquez-le, et l’enregistrement est correct. Si un autre serveur passe en premier, la question sera posée à nouveau.',
  frontSay: 'Ces serveurs sont placés devant nous',
  frontMailboxes:
    'Sur {hosts} se trouvent des boîtes aux lettres, qui gardent les e-mails qui arrivent. Continuez seulement si le fournisseur est configuré pour transmettre les e-mails de ce service.',
  frontSaid: 'Devant ce service se trouvent, comme indiqué le <time></time> : {hosts}.',
  frontWithdraw: 'Retirer',
  share: 'Partager cette page',
  theLink: 'Le lien',
  linkOnce:
    'La personne qui l’a voit les enregistrements DNS de ce domaine, et rien d’autre. Copiez-le maintenant : il n’est affiché que cette fois.',
  linkWhat:
    'Un lien pour la personne qui gère le DNS de {domain}. Il montre cette page, ne demande pas de clé et expire de lui-même.',
  linkDays: 'Jours',
  linkDaysRange: '1 à 30',
  createLink: 'Créer le lien',
} satisfies Texts['dns'];

export const record = {
  mx: 'Les e-mails arrivent ici (MX)',
  spf: 'Ce service peut envoyer (SPF)',
  verification: 'Le domaine est à vous (propriété)',
  dkim: 'Les e-mails sont signés (DKIM)',
  dmarc: 'Ce que les autres font des faux e-mails (DMARC)',
  mta_sts: 'Les e-mails arrivent chiffrés (MTA-STS)',
  tls_rpt: 'Rapports sur le chiffrement (TLS-RPT)',
} satisfies Texts['record'];

export const card = {
  ofType: '{count, number} enregistrements du type {type}',
  type: 'Type',
  name: 'Nom',
  priority: 'Priorité',
  value: 'Valeur',
  thereNow: 'Présent actuellement',
  theShortName: 'le nom court {value}',
  theName: 'le nom {value}',
  thePriority: 'la priorité {value}',
  theValue: 'la valeur {value}',
  example: 'Exemple',
  notThereYet: 'Pas encore là',
  notThere: 'Absent',
  notRight: 'Incorrect',
  unchecked: 'N’a pas pu être vérifié',
  right: 'Correct',
  rightWithWarning: 'Correct, avec un avertissement',
} satisfies Texts['card'];
