import { chart } from './chart.js';
import { door } from './door.js';
import { about, cause, event, events } from './event.js';
import { frame } from './frame.js';
import { ask } from './message.js';
import { page } from './page.js';
import { lack, status } from './status.js';

/** The English texts of the first load: of the door, the frame and Home, and of what several screens share. */
export const first = {
  about,
  ask,
  cause,
  chart,
  door,
  event,
  events,
  frame,
  lack,
  page,
  status,
};
