import type { Texts } from '../texts.js';

export const chart = {
  sent: 'Envoyés',
  bounces: 'Rebonds',
  complaints: 'Plaintes',
  sentSum: '{count, number} envoyés',
  bouncesSum: '{count, plural, one {# rebond} other {# rebonds}}',
  complaintsSum: '{count, plural, one {# plainte} other {# plaintes}}',
  days: '{days, plural, one {# jour} other {# jours}}',
  day: 'Jour',
  eachDay: 'E-mails envoyés, rebonds et plaintes de chaque jour',
} satisfies Texts['chart'];
