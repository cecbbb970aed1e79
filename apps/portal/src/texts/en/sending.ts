/** The screen of sending. */
export const sending = {
  sent: 'Sent',
  bounces: 'Bounces',
  complaints: 'Complaints',
  day: 'Day',
  eachDay: 'Sent, bounces and complaints of each day',
} as const;
