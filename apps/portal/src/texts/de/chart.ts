import type { Texts } from '../texts.js';

export const chart = {
  sent: 'Gesendet',
  bounces: 'Unzustellbar',
  complaints: 'Beschwerden',
  sentSum: '{count, number} gesendet',
  bouncesSum: '{count, number} unzustellbar',
  complaintsSum: '{count, plural, one {# Beschwerde} other {# Beschwerden}}',
  days: '{days, plural, one {# Tag} other {# Tage}}',
  day: 'Tag',
  eachDay: 'Gesendete, unzustellbare und beanstandete E-Mails an jedem Tag',
} satisfies Texts['chart'];
