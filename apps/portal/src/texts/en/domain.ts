/** The overview of a domain. */
export const domain = {
  title: 'The domain',
  historyWhat: 'Each change of the domain, its mailboxes and its aliases appears here.',
  verification: 'Verification',
  verified: 'Verified',
  failed: 'Verification failed',
  unverified: 'Not verified yet',
  dnsRecords: 'DNS records',
  mailboxes: 'Mailboxes',
  aliases: 'Aliases',
  plan: 'Plan',
  kept: 'Mail is kept',
  forEver: 'for ever',
  transfer: 'Transfer a month',
  parent: 'Parent',
  partner: 'Partner',
  added: 'Added',
} as const;
