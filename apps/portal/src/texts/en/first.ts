import { domain, status } from './domain.js';
import { door } from './door.js';
import { about, event, events } from './event.js';
import { frame } from './frame.js';
import { mailbox } from './mailbox.js';
import { ask } from './message.js';
import { page } from './page.js';
import { problem } from './problem.js';
import { sending } from './sending.js';
import { also, blocked, cause, incoming, mail, monitored, stopped, suspended } from './verdict.js';

/** The English texts of the first load: of the door, the frame and Home, and of what several screens share. */
export const first = {
  about,
  also,
  ask,
  blocked,
  cause,
  domain,
  door,
  event,
  events,
  frame,
  incoming,
  mail,
  mailbox,
  monitored,
  page,
  problem,
  sending,
  status,
  stopped,
  suspended,
};
