/** The DNS page. */
export const dns = {
  readingState: 'Reading the state',
  asking: 'Asking the name servers',
  verifiedByParent: 'The verification of {parent} counts for this domain.',
  maySend: 'The domain may send.',
  publishBelow:
    'Publish the records below where its DNS is kept. This page turns green by itself, mostly within minutes.',
  checked: 'Checked <time></time>.',
  zoneFile: 'Zone file',
  recommended: 'Recommended',
  examples: 'Examples',
  examplesWhy:
    'The mail servers of this service are not set up yet. So the records below are examples: do not publish them.',
  rightCount: '{count, plural, one {# record is right} other {# records are right}}',
  checkNow: 'Check now',
  toPublish: '{count, plural, one {# record to publish or correct.} other {# records to publish or correct.}}',
  unchecked: '{count, plural, one {# record could not be checked.} other {# records could not be checked.}}',
  allRight: 'Every required record is right.',
  where: 'Where to publish the records',
  publishInZone: 'Publish these in the DNS zone {zone}',
  zoneIsAt: 'The DNS of {zone} is at {provider}',
  elsewhere:
    'Log in where the domain was registered, or where its DNS was moved to, and add the records to its DNS zone.',
  shortNames: 'Most providers want the short name, where @ is {zone} itself; some want the full name.',
  nameServers: 'Its name servers are <names></names>.',
  andOthers: ' and others',
  front: 'Hosts in front of this service',
  frontWhat:
    'Do these hosts pass all mail on to this service, such as a filter? Then say so, and the record is right. When another host comes first, you are asked again.',
  frontSay: 'These hosts stand in front of us',
  frontMailboxes:
    'At {hosts} there are mailboxes, which keep the mail that arrives. Go on only if the provider is set up to pass the mail for this service on.',
  frontSaid: 'In front of this service stand, as was said on <time></time>: {hosts}.',
  frontWithdraw: 'Withdraw',
  share: 'Share this page',
  theLink: 'The link',
  linkOnce: 'Whoever has it sees the DNS records of this domain and nothing else. Copy it now: it is shown this once.',
  linkWhat: 'A link for whoever keeps the DNS of {domain}. It shows this page, needs no key, and ends by itself.',
  linkDays: 'Days',
  linkDaysRange: '1 to 30',
  createLink: 'Create the link',
} as const;

/** One record, or several of one purpose. */
export const record = {
  mx: 'Mail arrives here (MX)',
  spf: 'This service may send (SPF)',
  verification: 'The domain is yours (ownership)',
  dkim: 'Mail is signed (DKIM)',
  dmarc: 'What others do with forged mail (DMARC)',
  mta_sts: 'Mail arrives encrypted (MTA-STS)',
  tls_rpt: 'Reports about encryption (TLS-RPT)',
} as const;

export const card = {
  ofType: '{count, number} records of the type {type}',
  type: 'Type',
  name: 'Name',
  priority: 'Priority',
  value: 'Value',
  thereNow: 'There now',
  theShortName: 'the short name {value}',
  theName: 'the name {value}',
  thePriority: 'the priority {value}',
  theValue: 'the value {value}',
  example: 'Example',
  notThereYet: 'Not there yet',
  notThere: 'Not there',
  notRight: 'Not right',
  unchecked: 'Could not be checked',
  right: 'Right',
  rightWithWarning: 'Right, with a warning',
} as const;
