import { alias } from './alias.js';
import { card, dns, record } from './dns.js';
import { domain } from './domain.js';
import { finding } from './finding.js';
import { handover, mailbox } from './mailbox.js';
import { became, message, refusal, step } from './message.js';
import { problem } from './problem.js';
import { provider } from './provider.js';
import { bounce, sending } from './sending.js';
import { settings } from './settings.js';
import { suppressed, suppression } from './suppression.js';
import { also, blocked, incoming, mail, monitored, stopped, suspended } from './verdict.js';

/** The English texts that come with the other screens. */
export const later = {
  alias,
  also,
  became,
  blocked,
  bounce,
  card,
  dns,
  domain,
  finding,
  handover,
  incoming,
  mail,
  mailbox,
  message,
  monitored,
  problem,
  provider,
  record,
  refusal,
  sending,
  settings,
  step,
  stopped,
  suppressed,
  suppression,
  suspended,
};
