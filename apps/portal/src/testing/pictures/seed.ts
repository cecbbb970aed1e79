import {
  BEGIN,
  BLOCKED,
  BUSY,
  DAY_MS,
  DAYS,
  DOMAINS,
  HOUR_MS,
  type InventedDomain,
  MX_HOSTS,
  NEARLY_FULL,
  NOW,
  PARTNER_KEY,
  UNVERIFIED,
} from './invented.js';
import { PastSending } from './past-sending.js';
import type { PicturedService } from './pictured-service.js';

const SUPPRESSED = [
  ['nobody@mill.example', BUSY],
  ['old-address@garden.example', null],
] as const;

interface InventedMessage {
  sender: string;
  recipient: string;
  /** How long ago it was accepted. */
  minutes: number;
  direction?: 'in';
  steps: { step: string; reason?: string; detail?: string }[];
}

const MESSAGES: InventedMessage[] = [
  {
    sender: `orders@${BUSY}`,
    recipient: 'jane@garden.example',
    minutes: 4,
    steps: [{ step: 'accepted' }, { step: 'relayed' }, { step: 'delivered' }],
  },
  {
    sender: `orders@${BUSY}`,
    recipient: 'office@mill.example',
    minutes: 12,
    steps: [{ step: 'accepted' }, { step: 'deferred', detail: '450 4.2.1 try again later' }],
  },
  {
    sender: 'jane@garden.example',
    recipient: `orders@${BUSY}`,
    minutes: 21,
    direction: 'in',
    steps: [{ step: 'accepted' }, { step: 'stored' }],
  },
  {
    sender: `orders@${BUSY}`,
    recipient: 'nobody@mill.example',
    minutes: 34,
    steps: [{ step: 'accepted' }, { step: 'relayed' }, { step: 'bounced', reason: 'NoEmail' }],
  },
  {
    sender: 'news@garden.example',
    recipient: `oders@${BUSY}`,
    minutes: 47,
    direction: 'in',
    steps: [{ step: 'refused', reason: 'unknown_recipient' }],
  },
];

const ago = (ms: number) => new Date(NOW.getTime() - ms);

/** Gives a new service thirty days of a partner's past, until now. */
export async function seed(service: PicturedService): Promise<void> {
  await service.setDate(BEGIN);
  await service.call('POST', '/api-keys/', {
    body: {
      token: PARTNER_KEY,
      partner_ref: 'harbour-hosting',
      domains_allowed: 25,
      mailboxes_per_domain: 20,
      aliases_per_mailbox: 10,
    },
  });
  for (const domain of DOMAINS) await addDomain(service, domain);
  const sending = new PastSending(service);
  for (let days = DAYS - 1; days > 0; days -= 1) {
    await service.setDate(ago(days * DAY_MS));
    for (const domain of DOMAINS) await sending.ofDay(domain, ago(days * DAY_MS));
    if (days === 2) await addUnverified(service);
  }
  await today(service, sending);
  await service.setDate(NOW);
  await publishSome(service);
  await addMessages(service);
  for (const [address, domain] of SUPPRESSED) {
    await service.call('POST', '/suppressions/', {
      body: { address, domain, note: 'Asked by telephone' },
      token: PARTNER_KEY,
    });
  }
  // It finds what is unverified for a day.
  await service.call('POST', '/jobs/housekeeping/run');
  await service.until(async () => {
    const { attention } = await service.call<{ attention: string[] }>('GET', `/domains/${UNVERIFIED}`);
    return attention.includes('unverified');
  });
}

async function today(service: PicturedService, sending: PastSending): Promise<void> {
  await service.setDate(ago(5 * HOUR_MS));
  await sending.bounces(BLOCKED, 60, 'mailbox does not exist');
  await service.setDate(ago(3.2 * HOUR_MS));
  for (const domain of DOMAINS.filter(({ name }) => name !== NEARLY_FULL.name && name !== BLOCKED)) {
    await sending.ofDay(domain, NOW, 0.55);
  }
  await sending.messages(NEARLY_FULL.name, 'reception', NEARLY_FULL.sentToday - 27);
  await sending.messages(NEARLY_FULL.name, 'billing', 27);
  await service.setDate(ago(2.1 * HOUR_MS));
  await addMailbox(service, `fatima@${BUSY}`);
  await service.setDate(ago(74 * 60_000));
  await service.call('POST', '/aliases/', {
    body: { address: `sales@${BUSY}`, destination: `orders@${BUSY}` },
    token: PARTNER_KEY,
  });
}

/** Some messages of the last hour, as the mail servers report them. */
async function addMessages(service: PicturedService): Promise<void> {
  const items = MESSAGES.flatMap(({ sender, recipient, minutes, direction, steps }, index) =>
    steps.map((step, after) => ({
      host: 'mx1',
      queue_id: `4dGz1V2y3Xz9Q${index}`,
      at: ago((minutes - after * 0.02) * 60_000).toISOString(),
      direction: direction ?? 'out',
      domain: BUSY,
      sender,
      recipient,
      ...step,
    })),
  );
  await service.call('POST', '/outbound/trail', { body: { items } });
}

/** The sandbox verifies everything, so this domain must also prove its ownership, which it does not. */
async function addUnverified(service: PicturedService): Promise<void> {
  await service.restart({ OWNERSHIP_REQUIRED: 'true' });
  await service.call('POST', '/domains/', { body: { name: UNVERIFIED }, token: PARTNER_KEY });
  await addMailbox(service, `hello@${UNVERIFIED}`);
}

/** The owner of the unverified domain has published some records, and one of them is wrong. */
async function publishSome(service: PicturedService): Promise<void> {
  const { dns } = service;
  dns.ns(UNVERIFIED, 'ada.ns.cloudflare.com', 'bob.ns.cloudflare.com');
  dns.mx(UNVERIFIED, ...MX_HOSTS.map((exchange, index) => ({ exchange, preference: 10 * (index + 1) })));
  dns.txt(UNVERIFIED, 'v=spf1 include:_spf.another-host.example -all');
  const { checks } = await service.call<{ checks: Check[] }>('GET', `/domains/${UNVERIFIED}/dns-check`);
  for (const { record, name, expected } of checks) {
    const [value] = expected;
    if (record === 'dkim' && value !== undefined) dns.cname(name, value);
  }
}

interface Check {
  record: string;
  name: string;
  expected: string[];
}

async function addDomain(service: PicturedService, { name, tier, mailboxes }: InventedDomain): Promise<void> {
  await service.call('POST', '/domains/', { body: { name }, token: PARTNER_KEY });
  await service.call('PUT', `/domains/${name}/outbound`, { body: { outbound_tier: tier } });
  for (const local of mailboxes) await addMailbox(service, `${local}@${name}`);
  await service.call('POST', '/aliases/', {
    body: { address: `postmaster@${name}`, destination: `${mailboxes[0]}@${name}` },
    token: PARTNER_KEY,
  });
  await service.until(
    async () => (await service.call<{ verified: boolean }>('GET', `/domains/${name}/relay-status`)).verified,
  );
}

function addMailbox(service: PicturedService, email: string): Promise<unknown> {
  return service.call('POST', '/users/', { body: { email, password: `Kw7-${email}-9fq` }, token: PARTNER_KEY });
}
