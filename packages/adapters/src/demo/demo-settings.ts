/**
 * The settings of a demo that are not set otherwise: with them a domain can be in every state. The hosts exist in the
 * invented DNS of the demo only.
 */
export const DEMO_SETTINGS = {
  MX_HOSTS: 'mx1.mailstead.example,mx2.mailstead.example',
  SPF_INCLUDE: 'spf.mailstead.example',
  MAIL_IMAP: 'mail.mailstead.example:993',
  MAIL_POP3: 'mail.mailstead.example:995',
  MAIL_SUBMISSION: 'mail.mailstead.example:465',
  COMPLAINT_RATE_LIMIT: '0.3',
} as const;
