import type { Texts } from '../texts.js';

export const chart = {
  sent: 'Enviados',
  bounces: 'Rebotes',
  complaints: 'Quejas',
  sentSum: '{count, number} enviados',
  bouncesSum: '{count, plural, one {# rebote} other {# rebotes}}',
  complaintsSum: '{count, plural, one {# queja} other {# quejas}}',
  days: '{days, plural, one {# día} other {# días}}',
  day: 'Día',
  eachDay: 'Enviados, rebotes y quejas de cada día',
} satisfies Texts['chart'];
