import type { Texts } from '../texts.js';
import { alias } from './alias.js';
import { chart } from './chart.js';
import { card, dns, record } from './dns.js';
import { domain } from './domain.js';
import { door } from './door.js';
import { about, cause, event, events } from './event.js';
import { finding } from './finding.js';
import { frame } from './frame.js';
import { handover, mailbox } from './mailbox.js';
import { ask, became, message, refusal, step } from './message.js';
import { page } from './page.js';
import { problem } from './problem.js';
import { provider } from './provider.js';
import { bounce, sending } from './sending.js';
import { settings } from './settings.js';
import { lack, status } from './status.js';
import { suppressed, suppression } from './suppression.js';
import { also, blocked, incoming, mail, monitored, stopped, suspended } from './verdict.js';

export const de = {
  about,
  alias,
  also,
  ask,
  became,
  blocked,
  bounce,
  card,
  cause,
  chart,
  dns,
  domain,
  door,
  event,
  events,
  finding,
  frame,
  handover,
  incoming,
  lack,
  mail,
  mailbox,
  message,
  monitored,
  page,
  problem,
  provider,
  record,
  refusal,
  sending,
  settings,
  status,
  step,
  stopped,
  suppressed,
  suppression,
  suspended,
} satisfies Texts;
