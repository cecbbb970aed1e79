import type { Texts } from '../texts.js';

export const sending = {
  sent: 'Envoyés',
  bounces: 'Rebonds',
  complaints: 'Plaintes',
  day: 'Jour',
  eachDay: 'E-mails envoyés, rebonds et plaintes de chaque jour',
} satisfies Texts['sending'];
