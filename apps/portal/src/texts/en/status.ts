/** The state of a domain. */
export const status = {
  sending: 'Sending',
  receiving: 'Receiving',
  both: 'Sending and receiving',
  sends: 'Sends',
  receives: 'Receives',
  suspended: 'Suspended',
  partnerSuspended: 'Partner suspended',
  nearDaily: 'Near the limit of the day',
  nearMonthly: 'Near the limit of the month',
  nearTransfer: 'Near the transfer cap',
  dnsAtRisk: 'DNS at risk',
  deadAddresses: 'Many dead addresses',
  atRisk: 'At risk',
  overLimit: 'Over its limit, and still sends',
  waitsUntil: 'Waits until {time}',
  sendingWaits: 'Sending waits',
  mailWaits: 'Incoming mail waits',
  stopped: 'Sending stopped',
  stoppedByBounces: 'Stopped: bounces',
  stoppedByComplaints: 'Stopped: spam reports',
  notVerified: 'Not verified',
  noMail: 'No mail arrives',
  pending: 'Waiting for DNS',
} as const;

/** What a domain lacks in the DNS, by the names of the API. */
export const lack = {
  mx: 'MX missing',
  mx_mailboxes: 'MX of Google or Microsoft',
  mx_elsewhere: 'MX elsewhere',
  spf: 'SPF missing',
} as const;
