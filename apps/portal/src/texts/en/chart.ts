/** The chart of days. */
export const chart = {
  sent: 'Sent',
  bounces: 'Bounces',
  complaints: 'Complaints',
  sentSum: '{count, number} sent',
  bouncesSum: '{count, plural, one {# bounce} other {# bounces}}',
  complaintsSum: '{count, plural, one {# complaint} other {# complaints}}',
  days: '{days, plural, one {# day} other {# days}}',
  day: 'Day',
  eachDay: 'Sent, bounces and complaints of each day',
} as const;
