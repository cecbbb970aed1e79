import type { Texts } from '../texts.js';

export const sending = {
  sent: 'Gesendet',
  bounces: 'Unzustellbar',
  complaints: 'Beschwerden',
  day: 'Tag',
  eachDay: 'Gesendete, unzustellbare und beanstandete E-Mails an jedem Tag',
} satisfies Texts['sending'];
