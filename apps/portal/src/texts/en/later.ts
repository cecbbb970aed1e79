import { alias } from './alias.js';
import { card, dns, record } from './dns.js';
import { finding } from './finding.js';
import { handover } from './mailbox.js';
import { became, message, refusal, step } from './message.js';
import { provider } from './provider.js';
import { bounce } from './sending.js';
import { settings } from './settings.js';
import { suppressed, suppression } from './suppression.js';

/** The English texts that come with the other screens. */
export const later = {
  alias,
  became,
  bounce,
  card,
  dns,
  finding,
  handover,
  message,
  provider,
  record,
  refusal,
  settings,
  step,
  suppressed,
  suppression,
};
