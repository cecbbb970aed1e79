import type { Texts } from '../texts.js';

export const sending = {
  sent: 'Enviados',
  bounces: 'Rebotes',
  complaints: 'Quejas',
  day: 'Día',
  eachDay: 'Enviados, rebotes y quejas de cada día',
} satisfies Texts['sending'];
