import type { Lane } from './jobs.js';

/** Tells whoever runs a lane that something is due, or will be. A hint: lost ones are made up for by the sweep. */
export abstract class JobNudge {
  abstract nudge(lane: Lane, runAt: Date): void;
}
